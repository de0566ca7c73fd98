import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'

/**
 * How far the search index has been built anew, newest contents first: the only row, `id` 1, is there while it is
 * under way. Whoever goes on with it does so from here, in whatever process.
 */
export const searchRebuild = sqliteTable('search_rebuild', {
  id: integer().primaryKey(),
  /** Contents with an id below this one are still to do. */
  belowContentId: integer().notNull(),
})
