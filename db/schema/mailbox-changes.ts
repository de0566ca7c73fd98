import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/**
 * A change made here that the server does not know yet. It names the message, never a UID: the UID is looked up
 * when the change is applied. Applied in order per message and kept until the server confirms.
 */
export const mailboxChanges = sqliteTable(
  'mailbox_changes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Null for a change that concerns a folder only. Kept when the message goes, so no reference. */
    messageId: integer(),
    kind: text({ enum: ['flags', 'move', 'create_folder'] }).notNull(),
    /** What to do, by kind; parsed where it is applied. */
    change: text({ mode: 'json' }).$type<unknown>().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer().notNull(),
    lastError: text(),
    createdAt: integer().notNull(),
  },
  (table) => [
    index('mailbox_changes_due').on(table.accountId, table.nextAttemptAt, table.id),
    index('mailbox_changes_message').on(table.messageId, table.id),
  ],
)
