import * as webhooks from '../../domain/webhooks/get-delivery.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { DeliveryParams, DeliveryWithRequest, deliveryWithRequestJson } from './delivery.schema.ts'

export const getWebhookDelivery = endpoint({
  route: scoped('webhooks:manage', {
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries/{delivery_row_id}',
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery of a webhook',
    description: 'The delivery with the body that it sends.',
    tags: ['webhooks'],
    request: { params: DeliveryParams },
    responses: {
      200: {
        description: 'The delivery.',
        content: { 'application/json': { schema: DeliveryWithRequest } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id: webhookId, delivery_row_id: id } = c.req.valid('param')
    const delivery = await webhooks.getDelivery(c.var.runtime, { webhookId, id })
    return c.json(deliveryWithRequestJson(delivery), 200)
  },
})
