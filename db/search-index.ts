import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The full-text index (FTS5, contentless). Created by hand in db/migrations, for drizzle-kit knows no virtual
 * tables; this is its shape for queries. `rowid` is the content's id. The columns hold index text (see
 * domain/search/index-text.ts), not the originals; `traits` holds what is true of a content for good, as words that
 * no text has (domain/search/indexed-texts.ts), so that such a condition costs no more than a word.
 */
export const searchIndex = sqliteTable('search_index', {
  rowid: integer().primaryKey(),
  subject: text().notNull(),
  sender: text().notNull(),
  /** The To header alone. */
  recipients: text().notNull(),
  cc: text().notNull(),
  bcc: text().notNull(),
  filenames: text().notNull(),
  body: text().notNull(),
  traits: text().notNull(),
})
