import { sql } from 'drizzle-orm'
import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { events } from './events.ts'

/** Receivers that are told of events (spec section 2). */
export const webhooks = sqliteTable('webhooks', {
  id: integer().primaryKey({ autoIncrement: true }),
  url: text().notNull(),
  sealedSecret: text().notNull(),
  /** In the order of the specification, none twice. */
  events: text({ mode: 'json' }).$type<readonly (typeof events.$inferSelect)['kind'][]>().notNull(),
  /** False when paused or switched off by us. */
  active: integer({ mode: 'boolean' }).notNull(),
  /** When a delivery that ran out of attempts switched it off: no new events are queued for it. */
  autoDisabledAt: integer(),
  /** Grows whenever it is switched on, so that an attempt from before cannot switch it off again. */
  activations: integer().notNull().default(1),
  /** Since when deliveries were given up because too many wait, and none has succeeded. */
  queueFullSince: integer(),
  createdAt: integer().notNull(),
})

/**
 * Who sends the deliveries of an endpoint: the claim on all of them at once. `epoch` grows with every new holder, and
 * every outcome checks it, so a process that wakes from a long stop writes nothing. Time is the database's.
 */
export const webhookLanes = sqliteTable(
  'webhook_lanes',
  {
    webhookId: integer()
      .primaryKey()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    sidecarId: text().notNull(),
    epoch: integer().notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [index('webhook_lanes_sidecar').on(table.sidecarId)],
)

/** One event for one endpoint, and what became of it. Written with the event, in the transaction of its change. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    webhookId: integer()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The same over all attempts and replays. */
    deliveryId: text().notNull().unique(),
    event: text().notNull(),
    /** `pending` was never tried, `failed` was and waits for its next attempt; the others are settled. */
    status: text({ enum: ['pending', 'failed', 'ok', 'dead'] }).notNull(),
    /** Those that ended, of this round. */
    attempts: integer().notNull().default(0),
    /** Grows with every replay, so that an attempt from before says nothing about the new ones. */
    round: integer().notNull().default(1),
    /** Milliseconds UTC; null once it is settled. */
    nextAttemptAt: integer(),
    lastStatusCode: integer(),
    /** In words for people. */
    lastError: text(),
    /** The first 2 KB of the last reply. */
    responseBody: text(),
    /** Of the last attempt. */
    durationMs: integer(),
    createdAt: integer().notNull(),
    deliveredAt: integer(),
    /** What every attempt sends, byte by byte. Last, so that nobody reads it who does not want it. */
    body: blob({ mode: 'buffer' }).$type<Uint8Array>().notNull(),
  },
  (table) => [
    index('webhook_deliveries_newest').on(table.webhookId),
    index('webhook_deliveries_status').on(table.webhookId, table.status),
    index('webhook_deliveries_due')
      .on(table.webhookId, table.nextAttemptAt)
      .where(sql`status in ('pending', 'failed')`),
  ],
)
