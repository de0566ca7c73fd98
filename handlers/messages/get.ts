import { z } from '@hono/zod-openapi'
import { BODY_CHOICES } from '../../domain/messages/body.ts'
import * as messages from '../../domain/messages/get.ts'
import { HEADER_CHOICES, readHeaders } from '../../domain/messages/headers.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { MessageDetail, messageDetailJson } from './message-detail.schema.ts'
import { MessageParams } from './message.schema.ts'

const Query = z.object({
  body: z
    .enum(BODY_CHOICES)
    .default('text')
    .openapi({
      description:
        'Which body to answer: `reply` is the text without quoted history and signature; HTML is as received and ' +
        'not to be trusted.',
    }),
  headers: z.enum(HEADER_CHOICES).optional().openapi({
    description: 'Which form of the header to answer. Absent: none.',
  }),
})

export const getMessage = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/messages/{id}',
    operationId: 'getMessage',
    summary: 'Read a message',
    description:
      'The message with its body and its list of attachments. A body that cannot be had becomes `body_error`, a ' +
      'header `headers_error`: the rest is answered all the same.',
    tags: ['messages'],
    request: { params: MessageParams, query: Query },
    responses: {
      200: {
        description: 'The message.',
        content: { 'application/json': { schema: MessageDetail } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { body, headers } = c.req.valid('query')
    const { id } = c.req.valid('param')
    const message = await messages.getMessage(c.var.runtime, { messageId: id, body })
    const asked = headers && readHeaders(message.headersRaw, headers)
    return c.json(messageDetailJson(message, asked), 200)
  },
})
