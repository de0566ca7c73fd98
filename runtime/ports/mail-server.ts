import type { RenderedSource } from './rendered-source.ts'
import type { SearchCriterion } from './search-criterion.ts'
import type { SpooledSource } from './spooled-source.ts'
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
  /**
   * The flags that can be changed, and `\*` where new keywords can be made (PERMANENTFLAGS, RFC 9051 section 7.1);
   * absent where the server did not say, and then all can.
   */
  readonly permanentFlags?: readonly string[]
  /** Then what would change its messages is `refused` with the code READ-ONLY. */
  readonly readOnly: boolean
}

/** A role that a mailbox can be created with (RFC 6154 section 2). */
export type SpecialUseAttribute =
  | '\\All'
  | '\\Archive'
  | '\\Drafts'
  | '\\Flagged'
  | '\\Junk'
  | '\\Sent'
  | '\\Trash'

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
  /** A large one is spooled; whoever gets the message closes it. */
  readonly source: Uint8Array | SpooledSource
  /** Bytes of the whole source (RFC822.SIZE). */
  readonly size: number
  /** OBJECTID EMAILID (RFC 8474), or X-GM-MSGID. */
  readonly emailId?: string
  /** X-GM-THRID. */
  readonly gmailThreadId?: string
}

/** A message by its header block. */
export interface FetchedHeader {
  readonly uid: number
  readonly headersRaw: Uint8Array
}

/** What becomes of the flags or labels of messages; those not named stay as they are. */
export interface FlagEdit {
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

/** Where copied or moved messages are now (COPYUID, RFC 4315 section 3). */
export interface Relocated {
  /** Of the mailbox they are in now. */
  readonly uidValidity: bigint
  /** The new UID by the old one; messages that were gone already are not in it. */
  readonly uids: ReadonlyMap<number, number>
}

/** A message to be put into a mailbox. */
export interface AppendedMessage {
  /** One that is rendered is in memory only while it is appended. */
  readonly source: Uint8Array | RenderedSource
  readonly flags: readonly string[]
  readonly internalDateMs: number
}

/** Where an appended message is (APPENDUID, RFC 4315 section 3). */
export interface AppendedAt {
  readonly uidValidity: bigint
  readonly uid: number
}

/** What is known of a message whose UID is not. */
export interface CopySought {
  /** Its Message-ID as the header has it. */
  readonly messageIdHeader?: string
  /** Bytes of the whole source. */
  readonly size: number
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
  /** All UIDs that there are now, whoever put the messages there, ascending. */
  searchUids(): Promise<readonly number[]>
  /**
   * The messages with these UIDs that still exist, in any order. Reading on asks for more, so memory is bounded. Throws
   * `StorageError` where a large source cannot be spooled.
   */
  fetchMessages(uids: readonly number[]): AsyncIterable<FetchedMessage>
  /** The header blocks of these messages, otherwise as `fetchMessages`. */
  fetchHeaders(uids: readonly number[]): AsyncIterable<FetchedHeader>
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
  /** Whether `moveMessages` can be called (MOVE, RFC 6851). */
  readonly canMove: boolean
  /** Whether `expunge` takes away exactly the messages it is given (UIDPLUS, RFC 4315). */
  readonly canExpunge: boolean
  /**
   * UID STORE of the opened mailbox (RFC 9051 section 6.4.6); messages that are gone are passed over. Throws a plain
   * `Error`, before anything is sent, for what is no flag and no keyword: both are atoms.
   */
  storeFlags(uids: readonly number[], edit: FlagEdit): Promise<void>
  /** The same for X-GM-LABELS: system labels such as `\Inbox`, and labels of the user by their path. */
  storeGmailLabels(uids: readonly number[], edit: FlagEdit): Promise<void>
  /**
   * UID MOVE to the mailbox at `path`, as LIST reports it. Undefined where the server does not say what the new UIDs
   * are. A mailbox that is not there is `refused` with the code TRYCREATE. Throws a plain `Error` where `canMove` is
   * false: without MOVE, copy and then `expunge`.
   */
  moveMessages(uids: readonly number[], path: string): Promise<Relocated | undefined>
  /** UID COPY, otherwise as `moveMessages`. A refused command of at most 1,000 messages has copied none of its own. */
  copyMessages(uids: readonly number[], path: string): Promise<Relocated | undefined>
  /**
   * Marks the messages \Deleted and takes away these and no others (UID EXPUNGE, RFC 4315 section 2.1). Where
   * `canExpunge` is false they stay, marked.
   */
  expunge(uids: readonly number[]): Promise<void>
  /**
   * Creates and subscribes a mailbox, with its role where the server can (RFC 6154 section 3), and with the prefix of
   * the user's namespace where `path` lacks it (RFC 2342). One that exists is as good. Gives the path as LIST has it.
   */
  createMailbox(path: string, specialUse?: SpecialUseAttribute): Promise<string>
  /**
   * APPEND to the mailbox at `path` (RFC 9051 section 6.3.12). Where the message is now, or undefined where the server
   * does not say (UIDPLUS, APPENDUID). A mailbox that is not there is `refused` with the code TRYCREATE. Whether a
   * command whose answer never came was obeyed, nobody knows: look for the message before asking again.
   */
  append(path: string, message: AppendedMessage): Promise<AppendedAt | undefined>
  /**
   * The UIDs, ascending, of the messages in the opened mailbox that may be this one: by Message-ID where it has one
   * that a server can be asked for, else by size. Look at them before believing it.
   */
  searchCopies(sought: CopySought): Promise<readonly number[]>
  /**
   * The UIDs, ascending, of the messages in the opened mailbox of which the criterion is true (RFC 9051 section 6.4.4).
   * Text that is no ASCII is not looked for where the server will not, so there are more then. Throws a plain `Error`,
   * before anything is sent, for what is no keyword and for text that a command cannot hold.
   */
  search(criterion: SearchCriterion): Promise<readonly number[]>
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
