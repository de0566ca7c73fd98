import { updateWebhook } from '../../domain/webhooks/update.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Webhook, webhookJson, WebhookParams } from './webhook.schema.ts'

export const pauseWebhook = endpoint({
  route: scoped('webhooks:manage', {
    method: 'post',
    path: '/v1/webhooks/{id}/pause',
    operationId: 'pauseWebhook',
    summary: 'Pause a webhook',
    description:
      'No more deliveries go out; new events are queued for it, and wait until it is resumed.',
    tags: ['webhooks'],
    request: { params: WebhookParams },
    responses: {
      200: {
        description: 'The paused webhook.',
        content: { 'application/json': { schema: Webhook } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    return c.json(webhookJson(await updateWebhook(c.var.runtime, { id, active: false })), 200)
  },
})
