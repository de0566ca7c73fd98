import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/** A conversation over all folders of one account. Ids are never used again. */
export const threads = sqliteTable(
  'threads',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The older thread that this one was joined to; it still answers under its own id. */
    joinedTo: integer(),
  },
  (table) => [
    index('threads_account').on(table.accountId),
    index('threads_joined_to').on(table.joinedTo),
  ],
)

/** Which thread a Message-ID belongs to: one row for each message and for each reference to one, seen or not. */
export const threadKeys = sqliteTable(
  'thread_keys',
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    messageIdHeader: text().notNull(),
    threadId: integer()
      .notNull()
      .references(() => threads.id),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.messageIdHeader] }),
    index('thread_keys_thread').on(table.threadId),
  ],
)
