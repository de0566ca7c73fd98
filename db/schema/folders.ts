import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/**
 * A folder of an account, with what the server last said of its mailbox (RFC 3501 UIDVALIDITY and UIDNEXT,
 * RFC 7162 HIGHESTMODSEQ, RFC 8474 MAILBOXID). 64-bit protocol numbers are text: the driver refuses integers
 * above 2^53. `total` and `unread` are kept by triggers (see db/README.md) and are never written by a verb.
 */
export const folders = sqliteTable(
  'folders',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The whole path as the server names it, decoded to Unicode. */
    path: text().notNull(),
    /** The hierarchy separator, or null in a flat namespace. */
    delimiter: text(),
    specialUse: text({ enum: ['inbox', 'sent', 'drafts', 'archive', 'spam', 'trash'] }),
    /** False for a container that can hold no mail (\Noselect). */
    selectable: integer({ mode: 'boolean' }).notNull().default(true),
    /** Synced continuously, so that its changes become events. */
    synced: integer({ mode: 'boolean' }).notNull().default(false),
    /** False for a folder made here until the server has listed it: until then it is not missing. */
    listed: integer({ mode: 'boolean' }).notNull().default(true),
    mailboxId: text(),
    uidValidity: text(),
    uidNext: integer(),
    highestModseq: text(),
    /** Every UID at or above this one has been taken in; the first sync goes down from here. Null before it began. */
    syncedDownToUid: integer(),
    /** When the first sync of this folder was complete. */
    firstSyncedAt: integer(),
    total: integer().notNull().default(0),
    unread: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('folders_account_path').on(table.accountId, table.path),
    index('folders_special_use').on(table.accountId, table.specialUse),
  ],
)
