import type { Transcript } from './transcripts.ts'

/** How a connection is secured: TLS from the first byte, upgraded by STARTTLS (required), or not at all. */
export type TlsMode = 'implicit' | 'starttls' | 'none'

/** What proves who logs in: a password, or an access token of OAuth2 (XOAUTH2, OAUTHBEARER of RFC 7628). */
export type Login =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'oauth'; readonly accessToken: string }

/** Where a server is and who logs in there. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  readonly tls: TlsMode
  readonly user: string
  readonly login: Login
}

/** Where a mailbox stands, as SELECT or STATUS report it. */
export interface MailboxStatus {
  readonly uidValidity: bigint
  readonly uidNext: number
  readonly exists: number
  /** Absent where the server keeps no mod-sequences for it (RFC 7162). */
  readonly highestModseq?: bigint
}

/** A mailbox as SELECT reports it. */
export interface SelectedMailbox extends MailboxStatus {
  readonly mailboxId?: string
}

/** A mailbox as LIST reports it (RFC 3501, RFC 6154). */
export interface Mailbox {
  /** Decoded to Unicode. */
  readonly path: string
  /** Absent in a flat namespace. */
  readonly delimiter?: string
  /** Such as `\Sent`, and `\Inbox` for INBOX; absent for a mailbox without a role. */
  readonly specialUseAttribute?: string
  /** Whether the server said the role itself; otherwise the mailbox only bears a name known for it. */
  readonly specialUseDeclared: boolean
  readonly selectable: boolean
  /** MAILBOXID (RFC 8474), where somebody has asked: LIST does not say it. */
  readonly mailboxId?: string
  /** Absent where the server would not say. */
  readonly status?: MailboxStatus
}

/** Flags and keywords of a message, as the server sends them, sorted. */
export interface FetchedFlags {
  readonly uid: number
  readonly flags: readonly string[]
  /** X-GM-LABELS, decoded and sorted; absent where the server has none. */
  readonly gmailLabels?: readonly string[]
  readonly modseq?: bigint
}

/** Which changes of the opened mailbox are wanted. */
export interface ChangesAsked {
  /** Only those after this mod-sequence; where the server keeps none, leave it out and get everything. */
  readonly since?: bigint
  /** Only messages with this UID or a higher one. */
  readonly fromUid?: number
}

/** What became of a mailbox's messages. */
export interface MailboxChanges {
  readonly flags: readonly FetchedFlags[]
  /** UIDs that are gone; absent where the server did not say (RFC 7162 QRESYNC). */
  readonly vanished?: readonly number[]
}

/** A source larger than this is not fetched whole, in bytes: what one message may cost in memory. */
export const SOURCE_BYTES_MAX = 100 * 1024 * 1024

/** A message with its full source, or with its header block alone when it is larger than `SOURCE_BYTES_MAX`. */
export interface FetchedMessage extends FetchedFlags {
  readonly internalDateMs: number
  readonly source: Uint8Array
  /** Bytes of the whole source (RFC822.SIZE). */
  readonly size: number
  /** OBJECTID EMAILID (RFC 8474), or X-GM-MSGID. */
  readonly emailId?: string
  /** X-GM-THRID. */
  readonly gmailThreadId?: string
}

/**
 * A logged-in IMAP connection. One command at a time: end each, and each iteration, before the next. Every
 * method throws a `MailServerError`; after `unreachable` the session is dead.
 */
export interface MailSession {
  /** Whether the server has Gmail's extensions: labels, and all mail in one mailbox. */
  readonly hasGmailLabels: boolean
  listMailboxes(): Promise<readonly Mailbox[]>
  /** Opens the mailbox that the methods below speak of. */
  select(path: string): Promise<SelectedMailbox>
  /** How many messages the opened mailbox holds now, by the server's untagged responses; costs no command. */
  exists(): number
  /** All UIDs, ascending. */
  searchUids(): Promise<readonly number[]>
  /** The messages with these UIDs that still exist, in any order. Reading on asks for more, so memory is bounded. */
  fetchMessages(uids: readonly number[]): AsyncIterable<FetchedMessage>
  fetchChanges(asked: ChangesAsked): Promise<MailboxChanges>
  /** From here on changes in other mailboxes are reported too; false where the server cannot (RFC 5465 NOTIFY). */
  watchElsewhere(): Promise<boolean>
  /** Whether the server has reported a change in another mailbox since the mailboxes were last listed. */
  hasChangedElsewhere(): boolean
  /**
   * Waits (IDLE, or polling without it) until the server has reported a change since `markSeen`, or one elsewhere, or
   * `signal` aborts, or the connection ends.
   */
  idle(signal: AbortSignal): Promise<void>
  /** Call before reading the mailbox: changes reported from here on end the next `idle` at once. */
  markSeen(): void
  close(): Promise<void>
}

interface ConnectOptions {
  /** Ends the attempt, not the session that came of it. */
  readonly signal?: AbortSignal | undefined
  /** Gets every line of the connection, secrets and messages left out. */
  readonly transcript?: Transcript | undefined
}

/** IMAP servers. */
export interface MailServer {
  /** Connects and logs in; throws a `MailServerError` with the server's own words. */
  connect(settings: ServerSettings, options?: ConnectOptions): Promise<MailSession>
}
