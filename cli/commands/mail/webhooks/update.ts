import { apiClient, valueOf } from '../../../api-client.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import type { ApiCommandOptions } from '../api-command.ts'
import { noteUnknownEvents } from './create.ts'
import { printWebhook } from './present.ts'

/** Of `svc mail webhooks update`. */
export interface UpdateOptions extends ApiCommandOptions {
  readonly receiver?: string
  readonly events?: string[]
}

/** `svc mail webhooks update`. */
export async function updateWebhookCommand(id: string, options: UpdateOptions): Promise<void> {
  const { receiver, events } = options
  if (receiver === undefined && events === undefined)
    throw new CommandFailed('Give --receiver or --events, or both.', EXIT.usage)
  const json = { ...(receiver !== undefined && { url: receiver }), ...(events && { events }) }
  const webhook = await valueOf(apiClient(options).webhooks[':id'].$patch({ param: { id }, json }))
  printWebhook(webhook, options.json === true)
  noteUnknownEvents(events ?? [], webhook.events)
}
