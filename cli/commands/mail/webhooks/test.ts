import { apiClient, valueOf } from '../../../api-client.ts'
import type { ApiCommandOptions } from '../api-command.ts'
import { printQueued } from './present.ts'

/** `svc mail webhooks test`. */
export async function testWebhookCommand(id: string, options: ApiCommandOptions): Promise<void> {
  const webhook = apiClient(options).webhooks[':id']
  printQueued(await valueOf(webhook.test.$post({ param: { id } })), options.json === true)
}
