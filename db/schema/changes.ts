import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * The change feed: the newest change of every message, folder, draft, outbox entry and account. Written by
 * triggers (see db/README.md), so that no verb can forget it. A later change of the same thing replaces its
 * row under a new, higher `seq`.
 */
export const changes = sqliteTable(
  'changes',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    kind: text({ enum: ['message', 'folder', 'draft', 'outbox', 'account'] }).notNull(),
    entityId: integer().notNull(),
    deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [uniqueIndex('changes_entity').on(table.kind, table.entityId)],
)
