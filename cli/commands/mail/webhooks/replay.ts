import { apiClient, valueOf } from '../../../api-client.ts'
import type { ApiCommandOptions } from '../api-command.ts'
import { printQueued } from './present.ts'

/** `svc mail webhooks replay`. */
export async function replayDeliveryCommand(
  id: string,
  delivery: string,
  options: ApiCommandOptions,
): Promise<void> {
  const deliveries = apiClient(options).webhooks[':id'].deliveries
  const param = { id, delivery_row_id: delivery }
  const sent = deliveries[':delivery_row_id'].replay.$post({ param })
  printQueued(await valueOf(sent), options.json === true)
}
