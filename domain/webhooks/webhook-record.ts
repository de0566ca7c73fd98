import { webhooks } from '../../db/schema/webhooks.ts'
import type { EventName } from './event-names.ts'
import type { WebhookStats } from './stats.ts'

/** An endpoint, as its owner sees it: never its secret. */
export interface WebhookRecord {
  readonly id: number
  readonly url: string
  readonly events: readonly EventName[]
  readonly active: boolean
  readonly autoDisabledAt: number | null
  readonly createdAt: number
  readonly stats: WebhookStats
}

/** An endpoint with the secret that it was just given, which is shown this once. */
export interface WebhookWithSecret {
  readonly webhook: WebhookRecord
  readonly secret: string
}

export const WEBHOOK_COLUMNS = {
  id: webhooks.id,
  url: webhooks.url,
  events: webhooks.events,
  active: webhooks.active,
  autoDisabledAt: webhooks.autoDisabledAt,
  createdAt: webhooks.createdAt,
} as const
