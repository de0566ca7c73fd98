/** A line of an IMAP conversation; no secret and no message is in it. */
export interface TranscriptLine {
  /** Tells the connections of one account apart. */
  readonly connection: string
  readonly from: 'client' | 'server'
  readonly text: string
}

/** Takes the lines of an account's connections. Never throws: a full disk must not end a sync. */
export type Transcript = (line: TranscriptLine) => void

/** What was said between us and the mail servers, kept per account for those who ask for it. */
export interface Transcripts {
  /** Adds to what the account's transcript holds already. */
  of(accountId: number): Transcript
  /** How much the account's transcript holds; 0 where there is none. */
  bytes(accountId: number): Promise<number>
  /** Forgets the account's transcript; one that is still being written ends. */
  remove(accountId: number): Promise<void>
}
