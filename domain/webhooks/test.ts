import { webhookDeliveries } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { DELIVERY_COLUMNS } from './delivery-record.ts'
import { getWebhook, requireWebhook } from './get.ts'
import { keepWithinLimits } from './keep-within-limits.ts'
import { newDelivery } from './queue-deliveries.ts'
import type { Queued } from './replay.ts'

const DATA = { message: 'This is a test: the endpoint is reached.' }

/**
 * Queues a `ping` for an endpoint, whatever it subscribes to: a delivery like any other, with all that may come of it.
 * Throws `not_found`.
 */
export async function testWebhook(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  { id }: { readonly id: number },
): Promise<Queued> {
  await requireWebhook(ctx, id)
  const createdAt = ctx.clock.now().getTime()
  const delivery = await ctx.store.durableTransaction(async (tx) => {
    const [queued] = await tx
      .insert(webhookDeliveries)
      .values(newDelivery(id, { kind: 'ping', createdAt, data: DATA }))
      .returning(DELIVERY_COLUMNS)
    await keepWithinLimits(tx, id, createdAt)
    return queued
  })
  if (!delivery) throw new Error('The test delivery was not stored.')
  ctx.wake.now('webhooks')
  return { delivery, webhook: await getWebhook(ctx, id) }
}
