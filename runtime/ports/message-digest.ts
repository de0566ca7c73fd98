import type { Address, AttachmentInfo } from '../../db/schema/contents.ts'

/** What the search index holds of a message (db/search-index.ts). */
interface IndexText {
  readonly subject: string
  readonly sender: string
  readonly recipients: string
  readonly cc: string
  readonly bcc: string
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
  /** Whether its text names an address of the web, or its HTML links anywhere. */
  readonly hasLink: boolean
  /** At most 200 characters of text, whitespace folded. */
  readonly snippet: string
  readonly headersRaw: Uint8Array
  readonly attachments: readonly AttachmentInfo[]
  readonly indexText: IndexText
}
