import * as webhooks from '../../domain/webhooks/get.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Webhook, webhookJson, WebhookParams } from './webhook.schema.ts'

export const getWebhook = endpoint({
  route: scoped('webhooks:manage', {
    method: 'get',
    path: '/v1/webhooks/{id}',
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'The webhook with its stats.',
    tags: ['webhooks'],
    request: { params: WebhookParams },
    responses: {
      200: { description: 'The webhook.', content: { 'application/json': { schema: Webhook } } },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    return c.json(webhookJson(await webhooks.getWebhook(c.var.runtime, id)), 200)
  },
})
