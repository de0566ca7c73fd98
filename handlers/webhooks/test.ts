import * as webhooks from '../../domain/webhooks/test.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { QueuedDelivery, queuedJson } from './delivery.schema.ts'
import { WebhookParams } from './webhook.schema.ts'

export const testWebhook = endpoint({
  route: scoped('webhooks:manage', {
    method: 'post',
    path: '/v1/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary: 'Send a test event to a webhook',
    description:
      'Queues a `ping`, whatever it subscribes to, which goes out at once if the webhook is active. It is tried as often ' +
      'as any other delivery, and may switch the webhook off.',
    tags: ['webhooks'],
    request: { params: WebhookParams },
    responses: {
      202: {
        description: 'The queued delivery.',
        content: { 'application/json': { schema: QueuedDelivery } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) =>
    c.json(queuedJson(await webhooks.testWebhook(c.var.runtime, c.req.valid('param'))), 202),
})
