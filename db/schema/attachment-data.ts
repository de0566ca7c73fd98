import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drafts } from './drafts.ts'
import { outbox } from './outbox.ts'

/** The bytes of something that is attached to what is written here; never changed. */
export const attachmentData = sqliteTable(
  'attachment_data',
  {
    /** A random UUID. */
    id: text().primaryKey(),
    /** Bytes. */
    size: integer().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [index('attachment_data_created').on(table.createdAt)],
)

/** Its bytes in pieces, so that no single write holds up others for long. */
export const attachmentChunks = sqliteTable(
  'attachment_chunks',
  {
    dataId: text()
      .notNull()
      .references(() => attachmentData.id, { onDelete: 'cascade' }),
    /** From 0. */
    position: integer().notNull(),
    bytes: blob({ mode: 'buffer' }).$type<Uint8Array>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.dataId, table.position] })],
)

/** What is attached to a draft or to an outgoing message: exactly one of the two. Data that nothing names is removed. */
export const outgoingAttachments = sqliteTable(
  'outgoing_attachments',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    draftId: integer().references(() => drafts.id, { onDelete: 'cascade' }),
    outboxId: integer().references(() => outbox.id, { onDelete: 'cascade' }),
    /** From 0: its index. */
    position: integer().notNull(),
    filename: text().notNull(),
    contentType: text().notNull(),
    /** What the HTML text shows it by (RFC 2392), without angle brackets; null for what is only attached. */
    inlineId: text(),
    /** Bytes. */
    size: integer().notNull(),
    dataId: text()
      .notNull()
      .references(() => attachmentData.id),
  },
  (table) => [
    index('outgoing_attachments_draft').on(table.draftId),
    index('outgoing_attachments_outbox').on(table.outboxId),
    index('outgoing_attachments_data').on(table.dataId),
  ],
)
