import { isNull } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { webhookDeliveries, webhooks } from '../../db/schema/webhooks.ts'
import { envelopeText } from '../events/envelope.ts'
import type { EventRow } from '../events/render.ts'
import { keepWithinLimits } from './keep-within-limits.ts'

/** Few enough for the variables of one statement. */
const ROWS_PER_STATEMENT = 500

/** An event that is being stored. */
type StoredEvent = EventRow & { readonly createdAt: number }

/**
 * Queues the events for every endpoint that subscribes to them and was not switched off by us, in the transaction that
 * stores them: paused ones too, for which they wait. Whether there was any.
 */
export async function queueDeliveries(tx: Tx, told: readonly StoredEvent[]): Promise<boolean> {
  const endpoints = await tx
    .select({ id: webhooks.id, events: webhooks.events })
    .from(webhooks)
    .where(isNull(webhooks.autoDisabledAt))
  const deliveries = endpoints.flatMap(({ id, events }) =>
    told.filter(({ kind }) => events.includes(kind)).map((event) => newDelivery(id, event)),
  )
  const nowMs = Math.max(...told.map(({ createdAt }) => createdAt))
  for (let from = 0; from < deliveries.length; from += ROWS_PER_STATEMENT)
    await tx.insert(webhookDeliveries).values(deliveries.slice(from, from + ROWS_PER_STATEMENT))
  for (const webhookId of new Set(deliveries.map((row) => row.webhookId)))
    await keepWithinLimits(tx, webhookId, nowMs)
  return deliveries.length > 0
}

/** The row of a delivery that is due at once; its body is rendered here and never again. */
export function newDelivery(
  webhookId: number,
  event: Omit<StoredEvent, 'kind' | 'accountId'> & { readonly kind: string },
): typeof webhookDeliveries.$inferInsert {
  const deliveryId = `dlv_${crypto.randomUUID().replaceAll('-', '')}`
  return {
    webhookId,
    deliveryId,
    event: event.kind,
    status: 'pending',
    nextAttemptAt: event.createdAt,
    createdAt: event.createdAt,
    body: new TextEncoder().encode(envelopeText(deliveryId, event)),
  }
}
