import { and, eq } from 'drizzle-orm'
import { webhookDeliveries } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'
import { DELIVERY_COLUMNS, type DeliveryRecord } from './delivery-record.ts'

/** A delivery of an endpoint, by the ids of both. */
export interface DeliveryReference {
  readonly webhookId: number
  readonly id: number
}

/** A delivery with what it sends. Throws `not_found`, also where it belongs to another endpoint. */
export async function getDelivery(
  { store }: Needs<'store'>,
  reference: DeliveryReference,
): Promise<DeliveryRecord & { readonly body: Uint8Array }> {
  const [delivery] = await store.read
    .select({ ...DELIVERY_COLUMNS, body: webhookDeliveries.body })
    .from(webhookDeliveries)
    .where(isDelivery(reference))
  if (!delivery) throw deliveryNotFound(reference)
  return delivery
}

export const isDelivery = ({ webhookId, id }: DeliveryReference) =>
  and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.id, id))

export const deliveryNotFound = ({ id }: DeliveryReference) => notFound('delivery', id)
