import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/** Messages that a filter rule wants forwarded, until they have been sent. */
export const forwards = sqliteTable(
  'forwards',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Kept when the message goes: its source is named by hash. */
    messageId: integer().notNull(),
    sourceHash: text().notNull(),
    address: text().notNull(),
    /** The rule that wants it. */
    filterId: integer().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [index('forwards_account').on(table.accountId)],
)
