import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/** Flags as we show them; what is absent stays as it is. */
export interface FlagsChange {
  readonly read?: boolean
  readonly starred?: boolean
  /** Never taken back. */
  readonly answered?: true
  readonly labelsAdded?: readonly string[]
  readonly labelsRemoved?: readonly string[]
}

/** Where a message or a mailbox is meant to be. */
export interface FolderChange {
  readonly folderId: number
}

/** A message that still has to go: the original of one that was copied elsewhere, or the copy of a draft. */
export interface Original {
  readonly folderId: number
  readonly uidValidity: string
  readonly uid: number
  /** Also where mail that is expunged only loses a label: nothing else is left of it. */
  readonly isForGood?: true
}

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
    kind: text({ enum: ['flags', 'move', 'create_folder', 'expunge'] }).notNull(),
    /** What to do, by kind. */
    change: text({ mode: 'json' }).$type<FlagsChange | FolderChange | Original>().notNull(),
    /** When a move was first asked of the server: from then on the message may already be there. */
    startedAt: integer(),
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
