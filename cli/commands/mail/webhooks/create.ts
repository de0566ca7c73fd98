import { apiClient, valueOf } from '../../../api-client.ts'
import { note } from '../../../output.ts'
import type { ApiCommandOptions } from '../api-command.ts'
import { printSecret } from './present.ts'

/** Of `svc mail webhooks create`. */
export interface CreateOptions extends ApiCommandOptions {
  readonly events: string[]
  readonly paused?: true
}

/** `svc mail webhooks create`. */
export async function createWebhookCommand(url: string, options: CreateOptions): Promise<void> {
  const { events, paused } = options
  const json = { url, events, ...(paused && { active: false }) }
  const answer = await valueOf(apiClient(options).webhooks.$post({ json }))
  printSecret(answer, 'Webhook', options.json === true)
  noteUnknownEvents(events, answer.webhook.events)
}

/** The service drops names that it does not know; whoever mistyped one should hear of it. */
export function noteUnknownEvents(asked: readonly string[], taken: readonly string[]): void {
  for (const name of asked)
    if (!taken.includes(name)) note(`There is no event ${name}; it was left out.`)
}
