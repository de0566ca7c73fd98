import * as webhooks from '../../domain/webhooks/delete.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { WebhookParams } from './webhook.schema.ts'

export const deleteWebhook = endpoint({
  route: scoped('webhooks:manage', {
    method: 'delete',
    path: '/v1/webhooks/{id}',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Its deliveries go too, and those that wait are never sent.',
    tags: ['webhooks'],
    request: { params: WebhookParams },
    responses: { 204: { description: 'Deleted.' }, ...notFoundResponse },
  }),
  handler: async (c) => {
    await webhooks.deleteWebhook(c.var.runtime, c.req.valid('param'))
    return c.body(null, 204)
  },
})
