import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/** A message being written: the row of the compose form, and what is known of its copy on the server. */
export const drafts = sqliteTable('drafts', {
  id: integer().primaryKey({ autoIncrement: true }),
  accountId: integer().references(() => accounts.id, { onDelete: 'cascade' }),
  kind: text({ enum: ['new', 'reply', 'reply_all', 'forward'] }).notNull(),
  /** RFC 5322 address lists, as typed. */
  to: text().notNull(),
  cc: text().notNull(),
  bcc: text().notNull(),
  subject: text().notNull(),
  body: text().notNull(),
  mode: text({ enum: ['plain', 'html', 'markdown'] }).notNull(),
  /** The service id of the message that is answered or forwarded. */
  inReplyTo: integer(),
  /** The Message-ID of the copy on the server, by which it is found again. */
  messageIdHeader: text().notNull().unique(),
  /** Grows with every edit; `publishedRevision` is the one the server holds. */
  revision: integer().notNull().default(1),
  publishedRevision: integer(),
  updatedAt: integer().notNull(),
})
