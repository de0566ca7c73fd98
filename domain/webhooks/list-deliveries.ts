import { and, desc, eq, lt } from 'drizzle-orm'
import { webhookDeliveries } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { decodeCursor, type Page, toPage } from '../paging.ts'
import { DELIVERY_COLUMNS, type DeliveryRecord } from './delivery-record.ts'
import { requireWebhook } from './get.ts'

export interface ListDeliveries {
  readonly webhookId: number
  readonly status?: DeliveryRecord['status'] | undefined
  readonly event?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The deliveries of an endpoint, newest first. Throws `not_found`, and `invalid_request` for a bad cursor. */
export async function listDeliveries(
  ctx: Needs<'store'>,
  { webhookId, status, event, limit, cursor }: ListDeliveries,
): Promise<Page<DeliveryRecord>> {
  await requireWebhook(ctx, webhookId)
  const [before] = cursor ? decodeCursor(cursor, 1) : []
  const rows = await ctx.store.read
    .select(DELIVERY_COLUMNS)
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        status && eq(webhookDeliveries.status, status),
        event === undefined ? undefined : eq(webhookDeliveries.event, event),
        before === undefined ? undefined : lt(webhookDeliveries.id, before),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit + 1)
  return toPage(rows, limit, ({ id }) => [id])
}
