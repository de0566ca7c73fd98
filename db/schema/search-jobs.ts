import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'
import { messages } from './messages.ts'

/** Deep searches, which ask the mail servers (spec section 2, Search job). The newest few are kept. */
export const searchJobs = sqliteTable(
  'search_jobs',
  {
    /** Grows with every job; nobody outside sees it. */
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    status: text({ enum: ['running', 'done'] }).notNull(),
    query: text().notNull(),
    /** How many messages are wanted at most, the newest. */
    limit: integer().notNull(),
    /** The only account, or folder, that is searched; kept when that goes, so no reference. */
    accountId: integer(),
    folderId: integer(),
    /** In words for people: of the job as a whole, beside those of its accounts. */
    warnings: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** How many messages were found; null while it runs. Some of them may have gone since. */
    results: integer(),
    startedAt: integer().notNull(),
  },
  (table) => [
    index('search_jobs_running')
      .on(table.seq)
      .where(sql`status = 'running'`),
  ],
)

/** An account's part of a search. Whoever syncs the account searches it, so the lease of the account is the claim. */
export const searchParts = sqliteTable(
  'search_parts',
  {
    jobSeq: integer()
      .notNull()
      .references(() => searchJobs.seq, { onDelete: 'cascade' }),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** How often somebody began with it: one that nobody lives to end is given up. */
    attempts: integer().notNull().default(0),
    /** Null before its folders have been counted. */
    foldersTotal: integer(),
    /** The ids of those that were searched or could not be. */
    foldersDone: text({ mode: 'json' }).$type<readonly number[]>().notNull(),
    /** The ids of the folders that show what was searched. */
    shownIn: text({ mode: 'json' }).$type<readonly number[]>().notNull(),
    /** In words for people. */
    warnings: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** Null while there is something left to do. */
    endedAt: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.jobSeq, table.accountId] }),
    index('search_parts_open')
      .on(table.accountId)
      .where(sql`ended_at is null`),
    index('search_parts_account').on(table.accountId),
  ],
)

/** The messages that a search has found. */
export const searchHits = sqliteTable(
  'search_hits',
  {
    jobSeq: integer()
      .notNull()
      .references(() => searchJobs.seq, { onDelete: 'cascade' }),
    messageId: integer()
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.jobSeq, table.messageId] }),
    index('search_hits_message').on(table.messageId),
  ],
)
