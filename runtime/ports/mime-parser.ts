import type { Address, AttachmentInfo } from '../../db/schema/contents.ts'

/** What the search index holds of a message, as index text (domain/search/index-text.ts). */
interface IndexText {
  readonly subject: string
  readonly sender: string
  readonly recipients: string
  readonly filenames: string
  readonly body: string
}

/** Everything the store keeps of a source. Message-IDs are without angle brackets. */
export interface MessageDigest {
  readonly messageIdHeader?: string
  readonly inReplyToHeader?: string
  /** Message-IDs of References, then In-Reply-To where it is not among them; oldest first, no duplicates. */
  readonly references: readonly string[]
  readonly from: readonly Address[]
  readonly to: readonly Address[]
  readonly cc: readonly Address[]
  readonly bcc: readonly Address[]
  readonly replyTo: readonly Address[]
  readonly subject: string
  /** The Date header in milliseconds UTC; absent when there is none or it cannot be read. */
  readonly dateHeaderMs?: number
  /** The text/plain part, or text made from the HTML part; absent when there is neither. */
  readonly text?: string
  readonly hasHtml: boolean
  /** At most 200 characters of text, whitespace folded. */
  readonly snippet: string
  readonly headersRaw: Uint8Array
  readonly attachments: readonly AttachmentInfo[]
  readonly indexText: IndexText
}

/** Both bodies of a message; `html` is as received, character set decoded, nothing removed. */
export interface MessageBodies {
  readonly text?: string
  readonly html?: string
}

/** An attachment with its decoded bytes. */
export interface AttachmentContent {
  readonly info: AttachmentInfo
  readonly bytes: Uint8Array
}

/**
 * Reads message sources. Never throws for what a source holds: hostile and broken ones give what can be read. Only
 * one that takes too long, or ends its reader, makes `bodies` and `attachment` throw; its digest is then of its
 * header alone.
 */
export interface MimeParser {
  digest(source: Uint8Array): Promise<MessageDigest>
  bodies(source: Uint8Array): Promise<MessageBodies>
  /** The attachment at `index` of the digest's list; undefined when there is none. */
  attachment(source: Uint8Array, index: number): Promise<AttachmentContent | undefined>
}
