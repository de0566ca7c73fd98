import * as webhooks from '../../domain/webhooks/list.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { webhookJson, WebhookList } from './webhook.schema.ts'

export const listWebhooks = endpoint({
  route: scoped('webhooks:manage', {
    method: 'get',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List the webhooks',
    description: 'Every webhook with its stats.',
    tags: ['webhooks'],
    responses: {
      200: {
        description: 'The webhooks.',
        content: { 'application/json': { schema: WebhookList } },
      },
    },
  }),
  handler: async (c) => {
    const items = await webhooks.listWebhooks(c.var.runtime)
    return c.json(collection({ items }, webhookJson), 200)
  },
})
