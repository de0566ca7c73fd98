import { apiClient, valueOf } from '../../../api-client.ts'
import { note, printJson, printTable } from '../../../output.ts'
import type { ApiCommandOptions } from '../api-command.ts'
import { eventsText, webhookState, type Webhook } from './present.ts'

/** `svc mail webhooks list`. */
export async function listWebhooksCommand(options: ApiCommandOptions): Promise<void> {
  const answer = await valueOf(apiClient(options).webhooks.$get())
  if (options.json) {
    printJson(answer)
    return
  }
  if (answer.data.length === 0) {
    note('There are no webhooks yet; svc mail webhooks create creates one.')
    return
  }
  printTable(
    ['ID', 'STATE', 'DELIVERED', 'FAILING', 'PENDING', 'LAST', 'URL', 'EVENTS'],
    answer.data.map((webhook) => [
      String(webhook.id),
      webhookState(webhook),
      rate(webhook.stats),
      String(webhook.stats.failing),
      String(webhook.stats.pending),
      last(webhook.stats),
      webhook.url,
      eventsText(webhook.events),
    ]),
  )
}

const rate = ({ success_rate }: Webhook['stats']): string =>
  success_rate === undefined ? '-' : `${Math.floor(success_rate)} %`

const last = ({ last_status, last_status_code }: Webhook['stats']): string =>
  [last_status ?? '-', last_status_code].filter((part) => part !== undefined).join(' ')
