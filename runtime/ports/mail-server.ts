/** How a connection is secured: TLS from the first byte, upgraded by STARTTLS (required), or not at all. */
export type TlsMode = 'implicit' | 'starttls' | 'none'

/** Where a server is and who logs in there. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  readonly tls: TlsMode
  readonly user: string
  readonly password: string
}

/** A mailbox as LIST reports it (RFC 3501, RFC 6154). */
export interface Mailbox {
  /** Decoded to Unicode. */
  readonly path: string
  /** Absent in a flat namespace. */
  readonly delimiter?: string
  /** The SPECIAL-USE attribute, such as `\Sent`; `\Inbox` for INBOX. Absent without one. */
  readonly specialUseAttribute?: string
  readonly selectable: boolean
}

/** A mailbox as SELECT reports it. */
export interface SelectedMailbox {
  readonly uidValidity: bigint
  readonly uidNext: number
  readonly exists: number
  /** Absent where the server keeps no mod-sequences for it (RFC 7162). */
  readonly highestModseq?: bigint
  readonly mailboxId?: string
}

/** Flags and keywords of a message, as the server sends them. */
export interface FetchedFlags {
  readonly uid: number
  readonly flags: readonly string[]
  readonly modseq?: bigint
}

/** A message with its full source. */
export interface FetchedMessage extends FetchedFlags {
  readonly internalDateMs: number
  readonly source: Uint8Array
  readonly emailId?: string
}

/**
 * A logged-in IMAP connection. One command at a time: await each before the next. Every method throws a
 * `MailServerError`; after `unreachable` the session is dead.
 */
export interface MailSession {
  listMailboxes(): Promise<readonly Mailbox[]>
  /** Opens the mailbox for what follows; read-only methods below speak of the one opened last. */
  select(path: string): Promise<SelectedMailbox>
  /** All UIDs, ascending. */
  searchUids(): Promise<readonly number[]>
  /** The messages with these UIDs that still exist, in any order. Bounded by what the caller asks for at once. */
  fetchMessages(uids: readonly number[]): Promise<readonly FetchedMessage[]>
  /** Flags of all messages, or of those changed after `changedSince` where the server keeps mod-sequences. */
  fetchFlags(changedSince?: bigint): Promise<readonly FetchedFlags[]>
  /** Waits (IDLE, or polling without it) until the server reports a change or `signal` aborts. */
  idle(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** IMAP servers. */
export interface MailServer {
  /** Connects and logs in; throws a `MailServerError` with the server's own words. */
  connect(settings: ServerSettings): Promise<MailSession>
}
