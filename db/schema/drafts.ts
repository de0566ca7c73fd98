import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'
import type { Address } from './contents.ts'

/** A message being written: the row of the compose form, and what is known of its copy on the server. */
export const drafts = sqliteTable(
  'drafts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer().references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['new', 'reply', 'reply_all', 'forward'] }).notNull(),
    /** RFC 5322 address lists, as typed. */
    to: text().notNull(),
    cc: text().notNull(),
    bcc: text().notNull(),
    subject: text().notNull(),
    /** Of a draft that another mail program has written: who it is from where that is not the account's own address. */
    from: text({ mode: 'json' }).$type<Address>(),
    /** And to whom answers go. */
    replyTo: text({ mode: 'json' }).$type<readonly Address[]>().notNull().default([]),
    body: text().notNull(),
    mode: text({ enum: ['plain', 'html', 'markdown'] }).notNull(),
    /** The service id of the message that is answered or forwarded. */
    inReplyTo: integer(),
    /** What the copy on the server answers: known also where the message itself is not, or no more. */
    inReplyToHeader: text(),
    /** Oldest first, without angle brackets. */
    references: text({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    /** The Message-ID of the copy on the server, by which it is found again. */
    messageIdHeader: text().notNull().unique(),
    /** Grows with every edit; `publishedRevision` is the one the server holds. */
    revision: integer().notNull().default(1),
    publishedRevision: integer(),
    /** The revision that the server was asked to take: until it is found there, nobody knows whether it did. */
    appendingRevision: integer(),
    /** When the next attempt to publish is due; null while there is nothing to publish. */
    publishDueAt: integer(),
    /** When the oldest edit was made that the server does not have. */
    unpublishedSince: integer(),
    publishAttempts: integer().notNull().default(0),
    publishError: text(),
    /** When the copy was first missed that the server had. */
    copyMissedAt: integer(),
    /** Deleted or sent, while a copy may still be on its way to the server: shown nowhere. */
    removedAt: integer(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    index('drafts_order').on(table.updatedAt, table.id),
    index('drafts_account').on(table.accountId),
    index('drafts_due')
      .on(table.accountId, table.publishDueAt)
      .where(sql`publish_due_at is not null`),
  ],
)
