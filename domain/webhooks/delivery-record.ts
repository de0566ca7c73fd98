import { webhookDeliveries } from '../../db/schema/webhooks.ts'

/** A row of the deliveries log. */
export type DeliveryRecord = Pick<
  typeof webhookDeliveries.$inferSelect,
  keyof typeof DELIVERY_COLUMNS
>

export const DELIVERY_COLUMNS = {
  id: webhookDeliveries.id,
  deliveryId: webhookDeliveries.deliveryId,
  event: webhookDeliveries.event,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
  lastStatusCode: webhookDeliveries.lastStatusCode,
  lastError: webhookDeliveries.lastError,
  responseBody: webhookDeliveries.responseBody,
  durationMs: webhookDeliveries.durationMs,
  createdAt: webhookDeliveries.createdAt,
  deliveredAt: webhookDeliveries.deliveredAt,
} as const
