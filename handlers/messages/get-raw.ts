import { getSource } from '../../domain/messages/get-source.ts'
import { Bytes, attachmentResponse } from '../kit/binary.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse, upstreamResponse } from '../kit/error-responses.ts'
import { MessageParams } from './message.schema.ts'

export const getRawMessage = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/messages/{id}/raw',
    operationId: 'getRawMessage',
    summary: 'Read the raw message',
    description: 'The message byte for byte as the server holds it.',
    tags: ['messages'],
    request: { params: MessageParams },
    responses: {
      200: { description: 'The raw message.', content: { 'message/rfc822': { schema: Bytes } } },
      ...notFoundResponse,
      ...upstreamResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    const source = await getSource(c.var.runtime, { messageId: id, signal: c.req.raw.signal })
    return attachmentResponse(c, source, {
      contentType: 'message/rfc822',
      filename: `message-${id}.eml`,
    })
  },
})
