import { updateWebhook } from '../../domain/webhooks/update.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Webhook, webhookJson, WebhookParams } from './webhook.schema.ts'

export const resumeWebhook = endpoint({
  route: scoped('webhooks:manage', {
    method: 'post',
    path: '/v1/webhooks/{id}/resume',
    operationId: 'resumeWebhook',
    summary: 'Resume a webhook',
    description:
      'What waits for it goes out, in the order in which it was queued; `auto_disabled_at` is cleared.',
    tags: ['webhooks'],
    request: { params: WebhookParams },
    responses: {
      200: {
        description: 'The resumed webhook.',
        content: { 'application/json': { schema: Webhook } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    return c.json(webhookJson(await updateWebhook(c.var.runtime, { id, active: true })), 200)
  },
})
