import * as messages from '../../domain/messages/get-attachment.ts'
import { Bytes, attachmentResponse } from '../kit/binary.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse, upstreamResponse } from '../kit/error-responses.ts'
import { pathIndex } from '../kit/query-types.ts'
import { MessageParams } from './message.schema.ts'

const Params = MessageParams.extend({
  n: pathIndex('The `index` of the attachment in the list of its message.'),
})

export const getAttachment = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/messages/{id}/attachments/{n}',
    operationId: 'getAttachment',
    summary: 'Read an attachment',
    description: 'The decoded bytes, with the media type that the message gives them.',
    tags: ['messages'],
    request: { params: Params },
    responses: {
      200: {
        description: 'The attachment.',
        headers: {
          'Content-Disposition': {
            description: '`attachment` with the file name (RFC 6266).',
            schema: { type: 'string' },
          },
        },
        content: { '*/*': { schema: Bytes } },
      },
      ...notFoundResponse,
      ...upstreamResponse,
    },
  }),
  handler: async (c) => {
    const { id, n } = c.req.valid('param')
    const attachment = await messages.getAttachment(c.var.runtime, {
      messageId: id,
      index: n,
      signal: c.req.raw.signal,
    })
    return attachmentResponse(c, attachment, attachment.info)
  },
})
