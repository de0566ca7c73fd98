import type { InferResponseType } from 'hono/client'
import type { ApiClient } from '../../../api-client.ts'
import { note, print, printJson } from '../../../output.ts'

type Webhooks = ApiClient['webhooks']
export type Webhook = InferResponseType<Webhooks['$get'], 200>['data'][number]
export type Delivery = InferResponseType<Webhooks[':id']['deliveries']['$get'], 200>['data'][number]
type WithSecret = InferResponseType<Webhooks['$post'], 201>
type Queued = InferResponseType<Webhooks[':id']['test']['$post'], 202>

/** Whether deliveries go out, and if not, whether somebody wanted it so. */
export const webhookState = ({ active, auto_disabled_at }: Webhook): string => {
  if (active) return 'active'
  return auto_disabled_at === undefined ? 'paused' : 'disabled'
}

export const eventsText = (events: readonly string[]): string =>
  events.length > 0 ? events.join(' ') : 'nothing'

/** The secret alone on standard output, so that it can be piped; the rest is for people. */
export function printSecret(answer: WithSecret, what: string, isJson: boolean): void {
  const { webhook, secret, note: advice } = answer
  if (isJson) printJson(answer)
  else print(secret)
  note(`${what} ${webhook.id}: ${eventsText(webhook.events)} to ${webhook.url}. ${advice}`)
}

export function printWebhook(webhook: Webhook, isJson: boolean): void {
  if (isJson) {
    printJson(webhook)
    return
  }
  const { id, events, url } = webhook
  print(`Webhook ${id} is ${webhookState(webhook)}: ${eventsText(events)} to ${url}.`)
}

export function printQueued(queued: Queued, isJson: boolean): void {
  const { id, event, delivery_id, webhook } = queued
  if (isJson) printJson(queued)
  else print(`Queued delivery ${id} (${event}, ${delivery_id}).`)
  if (!webhook.active) note(`It waits: webhook ${webhook.id} is ${webhookState(webhook)}.`)
}
