import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/** A running sidecar and where its protocol answers. A heartbeat older than the lease time means it is gone. */
export const sidecars = sqliteTable('sidecars', {
  id: text().primaryKey(),
  url: text().notNull(),
  heartbeatAt: integer().notNull(),
})

/**
 * Who syncs an account. `epoch` grows with every new holder, and every write made under the lease checks it, so
 * a process that wakes from a long stop writes nothing. Time is the database's.
 */
export const accountLeases = sqliteTable(
  'account_leases',
  {
    accountId: integer()
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    sidecarId: text().notNull(),
    epoch: integer().notNull(),
    expiresAt: integer().notNull(),
    /** Whether this holder has completed one sync: spec section 6, rule 5. */
    syncedOnce: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [index('account_leases_sidecar').on(table.sidecarId)],
)
