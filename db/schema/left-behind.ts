import { integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { folders } from './folders.ts'

/**
 * Messages that are still in a mailbox although they were moved from it: until they are expunged, or for good where
 * the server can expunge none by itself (RFC 4315). A sync takes them for known and shows them nowhere, and for a while
 * also those that are gone: it may have fetched one before that, and store it after.
 */
export const leftBehind = sqliteTable(
  'left_behind',
  {
    folderId: integer()
      .notNull()
      .references(() => folders.id, { onDelete: 'cascade' }),
    /** Under the UIDVALIDITY that the folder has now: with another, these rows go. */
    uid: integer().notNull(),
    /** Since when the server is known not to have it any more: milliseconds UTC. */
    goneAt: integer(),
  },
  (table) => [primaryKey({ columns: [table.folderId, table.uid] })],
)
