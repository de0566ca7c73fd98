import { getHeaders } from '../../domain/messages/get-headers.ts'
import { readHeaders } from '../../domain/messages/headers.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { MessageHeaders, headersJson } from './message-headers.schema.ts'
import { MessageParams } from './message.schema.ts'

export const getMessageHeaders = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/messages/{id}/headers',
    operationId: 'getMessageHeaders',
    summary: 'Read the header of a message',
    description: 'The header in both forms, or `headers_error` when it cannot be had.',
    tags: ['messages'],
    request: { params: MessageParams },
    responses: {
      200: {
        description: 'The header.',
        content: { 'application/json': { schema: MessageHeaders } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    const headersRaw = await getHeaders(c.var.runtime, { messageId: id })
    return c.json(headersJson(readHeaders(headersRaw, 'both')), 200)
  },
})
