import * as webhooks from '../../domain/webhooks/rotate-secret.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import {
  NewSecret,
  WebhookParams,
  WebhookWithSecretBody,
  webhookWithSecretJson,
} from './webhook.schema.ts'

export const rotateWebhookSecret = endpoint({
  route: scoped('webhooks:manage', {
    method: 'post',
    path: '/v1/webhooks/{id}/secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Give a webhook another secret',
    description: 'Every attempt from now on is signed with it, those of replays too.',
    tags: ['webhooks'],
    request: {
      params: WebhookParams,
      body: { required: false, content: { 'application/json': { schema: NewSecret } } },
    },
    responses: {
      200: {
        description: 'The webhook with its new secret.',
        content: { 'application/json': { schema: WebhookWithSecretBody } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    const { secret } = c.req.valid('json')
    const rotated = await webhooks.rotateWebhookSecret(c.var.runtime, { id, secret })
    return c.json(webhookWithSecretJson(rotated), 200)
  },
})
