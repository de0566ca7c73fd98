import * as webhooks from '../../domain/webhooks/update.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Webhook, WebhookChanges, webhookJson, WebhookParams } from './webhook.schema.ts'

export const updateWebhook = endpoint({
  route: scoped('webhooks:manage', {
    method: 'patch',
    path: '/v1/webhooks/{id}',
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Only the fields that are present change. `active` as true also clears `auto_disabled_at`, and what waits goes out.',
    tags: ['webhooks'],
    request: {
      params: WebhookParams,
      body: { required: true, content: { 'application/json': { schema: WebhookChanges } } },
    },
    responses: {
      200: {
        description: 'The changed webhook.',
        content: { 'application/json': { schema: Webhook } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    const webhook = await webhooks.updateWebhook(c.var.runtime, { ...c.req.valid('json'), id })
    return c.json(webhookJson(webhook), 200)
  },
})
