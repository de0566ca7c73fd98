import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The full-text index (FTS5, contentless). Created by hand in db/migrations, for drizzle-kit knows no virtual
 * tables; this is its shape for queries. `rowid` is the content's id. The columns hold index text (see
 * domain/search/index-text.ts), not the originals.
 */
export const searchIndex = sqliteTable('search_index', {
  rowid: integer().primaryKey(),
  subject: text().notNull(),
  sender: text().notNull(),
  recipients: text().notNull(),
  filenames: text().notNull(),
  body: text().notNull(),
})
