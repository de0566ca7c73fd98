import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A mailbox of RFC 5322 section 3.4: a display name, when there is one, and an address. */
export interface Address {
  readonly name?: string
  readonly address: string
}

/** What is known of an attachment without its bytes; its place in the list is its index. */
export interface AttachmentInfo {
  readonly filename: string
  readonly contentType: string
  /** Decoded size in bytes. */
  readonly size: number
  readonly inline: boolean
  readonly contentId?: string
}

/**
 * What a message says. Immutable, and shared by every message whose source is byte-identical, so that a copy
 * in another folder costs one row and is indexed once.
 *
 * `id` is the rowid in the search index too. It grows with the date (see domain/search/search-rowid.ts), so
 * "newest first" is the index's own order.
 */
export const contents = sqliteTable(
  'contents',
  {
    id: integer().primaryKey(),
    /** SHA-256 of the source in lower-case hex; the name of the source in the SourceStore. */
    sourceHash: text().notNull().unique(),
    /** Bytes of the source. */
    size: integer().notNull(),
    /** Whether the SourceStore has it, as far as is known; false once its age limit is over. */
    sourceKept: integer({ mode: 'boolean' }).notNull().default(true),
    hasAttachments: integer({ mode: 'boolean' }).notNull(),
    /** Null where it was stored before this was known. */
    hasLink: integer({ mode: 'boolean' }),
    messageIdHeader: text(),
    inReplyToHeader: text(),
    /** Message-IDs of References and In-Reply-To, oldest first, without angle brackets. */
    references: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    from: text({ mode: 'json' }).$type<readonly Address[]>().notNull(),
    to: text({ mode: 'json' }).$type<readonly Address[]>().notNull(),
    cc: text({ mode: 'json' }).$type<readonly Address[]>().notNull(),
    bcc: text({ mode: 'json' }).$type<readonly Address[]>().notNull(),
    replyTo: text({ mode: 'json' }).$type<readonly Address[]>().notNull(),
    subject: text().notNull(),
    /** Folded with domain/search/fold.ts, so that substring filters ignore case and accents. */
    subjectFolded: text().notNull(),
    fromFolded: text().notNull(),
    /** To and Cc. */
    toFolded: text().notNull(),
    snippet: text().notNull(),
    attachments: text({ mode: 'json' }).$type<readonly AttachmentInfo[]>().notNull(),
  },
  (table) => [
    index('contents_message_id_header').on(table.messageIdHeader),
    // An index ends with the id, so each half of it is ordered by date.
    index('contents_source_kept').on(table.sourceKept),
  ],
)

/** The long half of a content, apart so that lists never read past it. */
export const contentBodies = sqliteTable('content_bodies', {
  contentId: integer()
    .primaryKey()
    .references(() => contents.id, { onDelete: 'cascade' }),
  /** The text/plain part, or text made from the HTML part; null when the message has neither. */
  text: text(),
  hasHtml: integer({ mode: 'boolean' }).notNull(),
  /** The header block exactly as received. */
  headersRaw: blob({ mode: 'buffer' }).$type<Uint8Array>().notNull(),
})
