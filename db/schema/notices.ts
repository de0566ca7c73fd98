import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/** Something that the owner should hear of, and nobody asked for. */
export const notices = sqliteTable(
  'notices',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** A change that the server refused for good, a message that a filter rule tells of, or one that was not sent. */
    kind: text({ enum: ['change_refused', 'filter_matched', 'send_failed'] }).notNull(),
    /** In words for people. */
    text: text().notNull(),
    /** Kept when the message goes, so no reference. */
    messageId: integer(),
    createdAt: integer().notNull(),
  },
  (table) => [index('notices_created').on(table.createdAt)],
)
