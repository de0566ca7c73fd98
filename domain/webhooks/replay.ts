import { sql } from 'drizzle-orm'
import { webhookDeliveries } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { DeliveryRecord } from './delivery-record.ts'
import {
  deliveryNotFound,
  type DeliveryReference,
  getDelivery,
  isDelivery,
} from './get-delivery.ts'
import { getWebhook } from './get.ts'
import type { WebhookRecord } from './webhook-record.ts'

/** A delivery that was queued, and its endpoint: while that is off, the delivery waits. */
export interface Queued {
  readonly delivery: DeliveryRecord
  readonly webhook: WebhookRecord
}

/**
 * Queues a delivery anew, whatever became of it: the same body and delivery id, and all attempts left. An attempt that
 * is under way says nothing about it any more. Throws `not_found`.
 */
export async function replayDelivery(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  reference: DeliveryReference,
): Promise<Queued> {
  const [queued] = await ctx.store.commit((write) => [
    write
      .update(webhookDeliveries)
      .set({
        status: 'pending',
        attempts: 0,
        round: sql`${webhookDeliveries.round} + 1`,
        nextAttemptAt: ctx.clock.now().getTime(),
        lastStatusCode: null,
        lastError: null,
        responseBody: null,
        durationMs: null,
        deliveredAt: null,
      })
      .where(isDelivery(reference))
      .returning({ id: webhookDeliveries.id }),
  ])
  if (queued.length === 0) throw deliveryNotFound(reference)
  ctx.wake.now('webhooks')
  const { body: _body, ...delivery } = await getDelivery(ctx, reference)
  return { delivery, webhook: await getWebhook(ctx, reference.webhookId) }
}
