import { z } from '@hono/zod-openapi'
import type { DeliveryRecord } from '../../domain/webhooks/delivery-record.ts'
import type { Queued } from '../../domain/webhooks/replay.ts'
import { collectionOf } from '../kit/collection.ts'
import { pathId } from '../kit/query-types.ts'
import { DeliveryStatus } from './delivery-status.schema.ts'
import { Webhook, WEBHOOK_EXAMPLE, webhookJson } from './webhook.schema.ts'

export const DeliveryParams = z.object({
  id: pathId('The id of the webhook.'),
  delivery_row_id: pathId('The `id` of the delivery in the log.'),
})

const EXAMPLE = {
  id: 41,
  delivery_id: 'dlv_9b2f6f0d1c7e4a53a8e0c4d2b1f3a597',
  event: 'message.received',
  status: 'failed' as const,
  attempts: 1,
  last_status_code: 503,
  response_body: 'busy',
  duration_ms: 12,
  next_attempt_at: '2026-11-22T08:01:00.000Z',
  created_at: '2026-11-22T08:00:00.000Z',
}

const QUEUED_EXAMPLE = {
  id: 42,
  delivery_id: 'dlv_1c6d3b1f0a924f6f8de7b5a2c4e8f090',
  event: 'ping',
  status: 'pending' as const,
  attempts: 0,
  next_attempt_at: '2026-11-22T08:02:00.000Z',
  created_at: '2026-11-22T08:02:00.000Z',
}

const Delivery = z
  .object({
    id: z.int().positive().openapi({ description: 'The id of the row, for a replay.' }),
    delivery_id: z.string().openapi({
      description: 'What the receiver knows it by: the same over all attempts and replays.',
    }),
    event: z.string().openapi({ description: 'The name of the event.' }),
    status: DeliveryStatus,
    attempts: z.int().nonnegative().openapi({
      description: 'How often it was tried since it was queued, or replayed.',
    }),
    last_status_code: z.int().optional().openapi({
      description: 'The HTTP status of the last reply.',
    }),
    last_error: z.string().optional().openapi({
      description: 'Why there was no reply, or why it was given up; for people.',
    }),
    response_body: z.string().optional().openapi({
      description: 'The first 2 KB of the last reply, as text.',
    }),
    duration_ms: z.int().nonnegative().optional().openapi({
      description: 'How long the last attempt took, in milliseconds.',
    }),
    next_attempt_at: z.iso.datetime().optional().openapi({
      description: 'When it is tried next, if the webhook is active then.',
    }),
    created_at: z.iso.datetime().openapi({ description: 'When it was queued.' }),
    delivered_at: z.iso.datetime().optional().openapi({
      description: 'When the receiver took it.',
    }),
  })
  .openapi('WebhookDelivery', {
    description: 'One event for one webhook, and what became of it.',
    example: EXAMPLE,
  })

export const DeliveryList = collectionOf(Delivery).openapi('WebhookDeliveryList', {
  description: 'A page of the deliveries log, newest first.',
  example: { data: [EXAMPLE], next_cursor: '' },
})

export const DeliveryWithRequest = Delivery.extend({
  request_body: z.string().openapi({ description: 'The body that every attempt sends, as text.' }),
}).openapi('WebhookDeliveryWithRequest', {
  description: 'A delivery with what it sends.',
  example: {
    ...EXAMPLE,
    request_body:
      '{"id":"dlv_9b2f6f0d1c7e4a53a8e0c4d2b1f3a597","event":"message.received",' +
      '"created_at":"2026-11-22T08:00:00.000Z","data":{"id":7,"account":"Work"}}',
  },
})

export const QueuedDelivery = Delivery.extend({
  webhook: Webhook,
}).openapi('QueuedWebhookDelivery', {
  description: 'A delivery that was queued, and its webhook: it waits while that is not active.',
  example: { ...QUEUED_EXAMPLE, webhook: WEBHOOK_EXAMPLE },
})

export const deliveryJson = (delivery: DeliveryRecord) => ({
  id: delivery.id,
  delivery_id: delivery.deliveryId,
  event: delivery.event,
  status: delivery.status,
  attempts: delivery.attempts,
  last_status_code: delivery.lastStatusCode ?? undefined,
  last_error: delivery.lastError ?? undefined,
  response_body: delivery.responseBody ?? undefined,
  duration_ms: delivery.durationMs ?? undefined,
  next_attempt_at: instant(delivery.nextAttemptAt),
  created_at: new Date(delivery.createdAt).toISOString(),
  delivered_at: instant(delivery.deliveredAt),
})

export const deliveryWithRequestJson = (
  delivery: DeliveryRecord & { readonly body: Uint8Array },
) => ({ ...deliveryJson(delivery), request_body: new TextDecoder().decode(delivery.body) })

export const queuedJson = ({ delivery, webhook }: Queued) => ({
  ...deliveryJson(delivery),
  webhook: webhookJson(webhook),
})

const instant = (ms: number | null) => (ms === null ? undefined : new Date(ms).toISOString())
