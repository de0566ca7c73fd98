import * as webhooks from '../../domain/webhooks/create.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { NewWebhook, WebhookWithSecretBody, webhookWithSecretJson } from './webhook.schema.ts'

export const createWebhook = endpoint({
  route: scoped('webhooks:manage', {
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Events from now on are POSTed to its URL, signed with the secret in the answer, which is not shown again. Names ' +
      'of events that do not exist are dropped: the answer says which are left.',
    tags: ['webhooks'],
    request: {
      body: { required: true, content: { 'application/json': { schema: NewWebhook } } },
    },
    responses: {
      201: {
        description: 'The new webhook.',
        content: { 'application/json': { schema: WebhookWithSecretBody } },
      },
    },
  }),
  handler: async (c) => {
    const created = await webhooks.createWebhook(c.var.runtime, c.req.valid('json'))
    return c.json(webhookWithSecretJson(created), 201)
  },
})
