import { z } from '@hono/zod-openapi'
import { EVENT_NAMES } from '../../domain/webhooks/event-names.ts'
import type { WebhookRecord, WebhookWithSecret } from '../../domain/webhooks/webhook-record.ts'
import { collectionOf } from '../kit/collection.ts'
import { pathId } from '../kit/query-types.ts'
import { DeliveryStatus } from './delivery-status.schema.ts'

export const WebhookParams = z.object({ id: pathId('The id of the webhook.') })

const EventName = z.enum(EVENT_NAMES)

const Stats = z
  .object({
    total: z.int().nonnegative().openapi({ description: 'The deliveries in the log.' }),
    success_rate: z.number().min(0).max(100).optional().openapi({
      description:
        'The percentage of settled deliveries, that is `ok` or `dead`, that are `ok`. Absent until one is settled.',
    }),
    failing: z.int().nonnegative().openapi({
      description: 'Deliveries that are `failed`, and tried again, or `dead`.',
    }),
    pending: z.int().nonnegative().openapi({ description: 'Deliveries that were not tried yet.' }),
    last_delivery_at: z.iso.datetime().optional().openapi({
      description: 'When the newest delivery was queued.',
    }),
    last_status: DeliveryStatus.optional(),
    last_status_code: z.int().optional().openapi({
      description: 'The HTTP status that the newest delivery was answered with last.',
    }),
  })
  .openapi('WebhookStats', {
    description: 'How the deliveries of a webhook stand, counted over those in the log.',
    example: {
      total: 3,
      success_rate: 100,
      failing: 0,
      pending: 1,
      last_delivery_at: '2026-11-22T08:00:00.000Z',
      last_status: 'pending',
    },
  })

const fields = {
  url: z.string().min(1).max(2048).openapi({
    description: 'Where deliveries are POSTed to: an absolute http or https URL.',
  }),
  events: z
    .array(z.string())
    .max(1000)
    .readonly()
    .openapi({
      description: `The events to subscribe to: ${EventName.options.map((name) => `\`${name}\``).join(', ')}. Other names are dropped.`,
    }),
  active: z.boolean().openapi({
    description: 'Whether deliveries go out; while they do not, they wait.',
  }),
}

const EXAMPLE = {
  url: 'https://hooks.example.com/mail',
  events: ['message.received' as const, 'message.sent' as const],
}

export const WEBHOOK_EXAMPLE = {
  id: 5,
  ...EXAMPLE,
  active: true,
  created_at: '2026-11-20T10:30:00.000Z',
  stats: { total: 0, failing: 0, pending: 0 },
}

export const Webhook = z
  .object({
    id: z.int().positive().openapi({ description: 'The id of the webhook.' }),
    url: fields.url,
    events: z.array(EventName).readonly().openapi({ description: 'The events it subscribes to.' }),
    active: fields.active,
    auto_disabled_at: z.iso.datetime().optional().openapi({
      description:
        'When it was switched off because a delivery ran out of attempts. Nothing new is queued until it is resumed.',
    }),
    created_at: z.iso.datetime().openapi({ description: 'When it was created.' }),
    stats: Stats,
  })
  .openapi('Webhook', {
    description: 'A receiver that is told of events. Its secret is never shown again.',
    example: WEBHOOK_EXAMPLE,
  })

export const WebhookList = collectionOf(Webhook).openapi('WebhookList', {
  description: 'All webhooks, in the order in which they were created.',
  example: { data: [WEBHOOK_EXAMPLE], next_cursor: '' },
})

export const NewWebhook = z
  .strictObject({ url: fields.url, events: fields.events, active: fields.active.optional() })
  .openapi('NewWebhook', {
    description: 'A webhook to create: active, unless it says otherwise.',
    example: EXAMPLE,
  })

export const WebhookChanges = NewWebhook.partial().openapi('WebhookChanges', {
  description: 'What to change of a webhook; what is absent stays as it is.',
  example: { active: false },
})

export const NewSecret = z
  .strictObject({
    secret: z.string().optional().openapi({
      description: '16 to 1024 characters, used as given. Absent or empty: one is generated.',
    }),
  })
  .openapi('NewWebhookSecret', { description: 'Another secret for a webhook.', example: {} })

export const WebhookWithSecretBody = z
  .object({
    webhook: Webhook,
    secret: z.string().openapi({ description: 'The secret that deliveries are signed with.' }),
    note: z.string().openapi({ description: 'What to do with the secret, for people.' }),
  })
  .openapi('WebhookWithSecret', {
    description: 'A webhook with the secret that it was just given.',
    example: {
      webhook: WEBHOOK_EXAMPLE,
      secret: 'whsec_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      note: 'Keep the secret now: it is not shown again.',
    },
  })

const NOTE =
  'Keep the secret now: it is not shown again. Every delivery is signed with it, in the header X-Svc-Signature.'

export const webhookJson = ({ stats, ...webhook }: WebhookRecord) => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  active: webhook.active,
  auto_disabled_at: instant(webhook.autoDisabledAt),
  created_at: new Date(webhook.createdAt).toISOString(),
  stats: {
    total: stats.total,
    success_rate: stats.successRate,
    failing: stats.failing,
    pending: stats.pending,
    last_delivery_at: instant(stats.lastDeliveryAt),
    last_status: stats.lastStatus,
    last_status_code: stats.lastStatusCode,
  },
})

export const webhookWithSecretJson = ({ webhook, secret }: WebhookWithSecret) => ({
  webhook: webhookJson(webhook),
  secret,
  note: NOTE,
})

const instant = (ms: number | null | undefined) =>
  ms === null || ms === undefined ? undefined : new Date(ms).toISOString()
