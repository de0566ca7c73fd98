import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'
import { contents } from './contents.ts'
import { drafts } from './drafts.ts'
import { folders } from './folders.ts'
import { threads } from './threads.ts'

/**
 * One message in one place: a row per (folder, UID).
 *
 * The *confirmed* half is what the server last said; a sync compares the server with it alone. The *shown* half
 * is what we show, with our own unpushed changes laid over. So a sync never reverts a change of ours and never
 * reports it as somebody else's.
 */
export const messages = sqliteTable(
  'messages',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    contentId: integer()
      .notNull()
      .references(() => contents.id),
    threadId: integer()
      .notNull()
      .references(() => threads.id),
    /** The Date header where it can be trusted, else INTERNALDATE; milliseconds UTC, fixed when stored. */
    date: integer().notNull(),
    internalDate: integer().notNull(),

    // Confirmed. All null while the server has no copy yet.
    serverFolderId: integer().references(() => folders.id, { onDelete: 'cascade' }),
    uid: integer(),
    uidValidity: text(),
    /** Flags and keywords as the server sent them, sorted. */
    serverFlags: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** X-GM-LABELS as the server sent them, sorted; null where it has none. */
    serverLabels: text({ mode: 'json' }).$type<readonly string[]>(),
    modseq: text(),
    /** OBJECTID EMAILID (RFC 8474) or Gmail's X-GM-MSGID. */
    emailId: text(),

    // Shown.
    folderId: integer()
      .notNull()
      .references(() => folders.id, { onDelete: 'cascade' }),
    /** Whether `folderId` is an inbox, so that the unified inbox has an index of its own. */
    inInbox: integer({ mode: 'boolean' }).notNull(),
    read: integer({ mode: 'boolean' }).notNull(),
    starred: integer({ mode: 'boolean' }).notNull(),
    answered: integer({ mode: 'boolean' }).notNull(),
    labels: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    draftId: integer().references(() => drafts.id, { onDelete: 'set null' }),
    snoozedUntil: integer(),
  },
  (table) => [
    uniqueIndex('messages_server_uid').on(table.serverFolderId, table.uid),
    index('messages_folder').on(table.folderId, table.date, table.id),
    index('messages_folder_unread')
      .on(table.folderId, table.date, table.id)
      .where(sql`read = 0`),
    index('messages_folder_starred')
      .on(table.folderId, table.date, table.id)
      .where(sql`starred = 1`),
    index('messages_inbox')
      .on(table.date, table.id)
      .where(sql`in_inbox = 1`),
    index('messages_inbox_unread')
      .on(table.date, table.id)
      .where(sql`in_inbox = 1 and read = 0`),
    index('messages_inbox_starred')
      .on(table.date, table.id)
      .where(sql`in_inbox = 1 and starred = 1`),
    index('messages_thread').on(table.threadId, table.date, table.id),
    index('messages_content').on(table.contentId),
    // Messages whose date is not that of their content, which is rare; the rowid tells the date of all others.
    index('messages_odd_date')
      .on(table.contentId)
      .where(sql`content_id / 65536 <> date / 1000`),
    index('messages_labeled')
      .on(table.labels, table.contentId)
      .where(sql`labels <> '[]'`),
    index('messages_account').on(table.accountId),
    index('messages_gmail')
      .on(table.accountId, table.emailId)
      .where(sql`server_labels is not null`),
    index('messages_draft')
      .on(table.draftId)
      .where(sql`draft_id is not null`),
  ],
)
