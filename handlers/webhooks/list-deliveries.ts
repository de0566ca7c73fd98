import { z } from '@hono/zod-openapi'
import * as webhooks from '../../domain/webhooks/list-deliveries.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { cursor, limit } from '../kit/query-types.ts'
import { DeliveryStatus } from './delivery-status.schema.ts'
import { deliveryJson, DeliveryList } from './delivery.schema.ts'
import { WebhookParams } from './webhook.schema.ts'

const Query = z.object({
  status: DeliveryStatus.optional().openapi({ description: 'Only deliveries with this status.' }),
  event: z.string().optional().openapi({ description: 'Only deliveries of this event.' }),
  limit: limit(100, 25),
  cursor,
})

export const listWebhookDeliveries = endpoint({
  route: scoped('webhooks:manage', {
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    description: 'The newest 100 and all that are not settled, newest first.',
    tags: ['webhooks'],
    request: { params: WebhookParams, query: Query },
    responses: {
      200: {
        description: 'A page of deliveries.',
        content: { 'application/json': { schema: DeliveryList } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id: webhookId } = c.req.valid('param')
    const query = { ...c.req.valid('query'), webhookId }
    const page = await webhooks.listDeliveries(c.var.runtime, query)
    return c.json(collection(page, deliveryJson), 200)
  },
})
