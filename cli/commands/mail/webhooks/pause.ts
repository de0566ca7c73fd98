import { apiClient, valueOf } from '../../../api-client.ts'
import type { ApiCommandOptions } from '../api-command.ts'
import { printWebhook } from './present.ts'

/** `svc mail webhooks pause`. */
export async function pauseWebhookCommand(id: string, options: ApiCommandOptions): Promise<void> {
  const webhook = apiClient(options).webhooks[':id']
  printWebhook(await valueOf(webhook.pause.$post({ param: { id } })), options.json === true)
}
