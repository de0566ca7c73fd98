import type { OutgoingMessage, RefusedRecipient } from '../../db/schema/outbox.ts'
import type { ServerSettings } from './mail-server.ts'
import type { RenderedSource } from './rendered-source.ts'

/**
 * An attachment of a message to be rendered; its bytes are asked for when their turn comes, and those of an attached
 * message (message/rfc822) once before, to see how they can travel.
 */
export interface OutgoingAttachment {
  readonly filename: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** What the HTML text shows it by (RFC 2392), without angle brackets; it is then a part of that text. */
  readonly inlineId?: string | null
  readonly content: () => AsyncIterable<Uint8Array>
}

/** Everything that a source is made of: the same parts always give the same bytes. */
export interface OutgoingParts {
  readonly message: OutgoingMessage
  /** Without angle brackets. */
  readonly messageIdHeader: string
  /** The Date header; milliseconds UTC. */
  readonly dateMs: number
  readonly attachments: readonly OutgoingAttachment[]
  /** For the Drafts folder: with its Bcc, and without a word where there is no recipient yet. */
  readonly isDraft?: boolean
}

/** Who is told of a message, whatever its header says (RFC 5321 section 2.3.1). */
export interface SmtpEnvelope {
  readonly from: string
  /** At least one, each once. */
  readonly to: readonly string[]
}

/** What is handed over. */
export interface MessageToSubmit {
  readonly smtpEnvelope: SmtpEnvelope
  /** Called once; what it gives is read once at most: when the server has said that it will take the bytes. */
  readonly source: () => RenderedSource
  /**
   * Awaited after the server's go-ahead to DATA and before the first byte of the source: what it throws ends the
   * connection with nothing handed over, and is thrown by `send`.
   */
  readonly beforeHandover: () => Promise<void>
}

/** The server has taken the message, if not for everyone. */
export interface Submitted {
  readonly refused: readonly RefusedRecipient[]
}

/** The bytes were handed over, wholly or in part, and no answer came: the message may have been sent, or not. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** Message submission over SMTP (RFC 6409). */
export interface Submission {
  /** Connects, secures and logs in without sending; throws a `MailServerError` with the server's own words. */
  verify(settings: ServerSettings): Promise<void>
  /**
   * The source of a message (RFC 5322): CRLF everywhere, no Bcc field, no line over 998 octets. 8-bit content is
   * encoded, but for that of attached messages; header fields hold UTF-8 only where an address needs it (RFC 6532).
   * Reading throws a plain `Error` for an address, a Message-ID of the message or the name of a field that is none.
   */
  render(parts: OutgoingParts): RenderedSource
  /**
   * Hands the message over, on a connection that is kept for the next one. Throws a `MailServerError` when nothing was
   * handed over or the server said no, with its words and `smtpCode`; throws `OutcomeUnknown` when nobody can say.
   * Throws a plain `Error`, before anything is sent, for an address that is none. Never hands over twice.
   */
  send(settings: ServerSettings, message: MessageToSubmit): Promise<Submitted>
  /** Ends the connections that are kept; what is on its way goes on, and nothing is begun. */
  close(): Promise<void>
}
