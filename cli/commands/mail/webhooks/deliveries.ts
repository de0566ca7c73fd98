import { apiClient, valueOf } from '../../../api-client.ts'
import { note, printJson, printTable } from '../../../output.ts'
import type { ApiCommandOptions } from '../api-command.ts'
import type { Delivery } from './present.ts'

/** Of `svc mail webhooks deliveries`. */
export interface DeliveriesOptions extends ApiCommandOptions {
  readonly status?: Delivery['status']
  readonly event?: string
  readonly limit?: string
  readonly cursor?: string
}

/** `svc mail webhooks deliveries`. */
export async function listDeliveriesCommand(id: string, options: DeliveriesOptions): Promise<void> {
  const { status, event, limit, cursor } = options
  const query = {
    ...(status !== undefined && { status }),
    ...(event !== undefined && { event }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
  const webhook = apiClient(options).webhooks[':id']
  const answer = await valueOf(webhook.deliveries.$get({ param: { id }, query }))
  if (options.json) {
    printJson(answer)
    return
  }
  if (answer.data.length === 0) note('There are no such deliveries.')
  else printTable(HEADINGS, answer.data.map(cells))
  if (answer.next_cursor !== '') note(`There are more: --cursor ${answer.next_cursor}`)
}

const HEADINGS = [
  'ID',
  'EVENT',
  'STATUS',
  'ATTEMPTS',
  'REPLY',
  'QUEUED',
  'NEXT ATTEMPT',
  'DELIVERY',
]

const cells = (delivery: Delivery): readonly string[] => [
  String(delivery.id),
  delivery.event,
  delivery.status,
  String(delivery.attempts),
  String(delivery.last_status_code ?? delivery.last_error ?? '-'),
  delivery.created_at,
  delivery.next_attempt_at ?? '-',
  delivery.delivery_id,
]
