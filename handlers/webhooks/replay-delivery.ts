import * as webhooks from '../../domain/webhooks/replay.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { DeliveryParams, QueuedDelivery, queuedJson } from './delivery.schema.ts'

export const replayWebhookDelivery = endpoint({
  route: scoped('webhooks:manage', {
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{delivery_row_id}/replay',
    operationId: 'replayWebhookDelivery',
    summary: 'Send a delivery again',
    description:
      'Queues it anew, whatever became of it: with the same body and `delivery_id`, and all attempts left.',
    tags: ['webhooks'],
    request: { params: DeliveryParams },
    responses: {
      202: {
        description: 'The queued delivery.',
        content: { 'application/json': { schema: QueuedDelivery } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id: webhookId, delivery_row_id: id } = c.req.valid('param')
    return c.json(queuedJson(await webhooks.replayDelivery(c.var.runtime, { webhookId, id })), 202)
  },
})
