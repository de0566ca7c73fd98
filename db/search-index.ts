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

/**
 * What the index can be told to do is inserted into it (FTS5, "Special INSERT Commands"). Columns have their names
 * written out: of two tables with one name drizzle-orm gives the casing to the first only.
 */
export const searchIndexCommands = sqliteTable('search_index', {
  command: text('search_index').notNull(),
  rank: integer('rank'),
})

/** Where the pages of its segments begin: a table of FTS5's own, of which only the number of rows is of use. */
export const searchIndexPages = sqliteTable('search_index_idx', {
  segment: integer('segid').notNull(),
})
