import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * What happened to the mail, for those who want to hear of it (spec section 6): written in the transaction of the
 * change itself, kept for a week, never changed. `data` is as receivers get it.
 */
export const events = sqliteTable(
  'events',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text({
      enum: [
        'message.received',
        'message.sent',
        'message.updated',
        'message.deleted',
        'sync.error',
        'search.completed',
      ],
    }).notNull(),
    /** Its account, 0 where it is of none; kept when that goes, so no reference. */
    accountId: integer().notNull(),
    data: text({ mode: 'json' }).$type<Readonly<Record<string, unknown>>>().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [index('events_created').on(table.createdAt)],
)
