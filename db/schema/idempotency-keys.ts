import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tokens } from './tokens.ts'

/**
 * Idempotency keys, bound to the row that their request created, in the transaction that created it. Kept for 24 hours
 * (spec section 4).
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    tokenId: integer()
      .notNull()
      .references(() => tokens.id, { onDelete: 'cascade' }),
    /** The method and the concrete path. */
    route: text().notNull(),
    key: text().notNull(),
    /** What was created: the row in the table of this kind. Kept when it goes, so no reference. */
    kind: text({ enum: ['outbox', 'draft', 'filter'] }).notNull(),
    entityId: integer().notNull(),
    /** The answer to be replayed, from the moment it is known: only ever a success. */
    answerStatus: integer(),
    answerBody: text(),
    createdAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.route, table.key] }),
    index('idempotency_keys_created').on(table.createdAt),
  ],
)
