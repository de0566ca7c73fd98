import { forwardAsDraft } from '../../domain/messages/forward-as-draft.ts'
import { Draft, draftJson } from '../drafts/draft.schema.ts'
import { draftTag, tagHeader } from '../drafts/etag.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse, upstreamResponse } from '../kit/error-responses.ts'
import { MessageParams } from './message.schema.ts'

export const forwardMessageAsEml = endpoint({
  route: scoped('mail:send', {
    method: 'post',
    path: '/v1/messages/{id}/forward-eml',
    operationId: 'forwardMessageAsEml',
    summary: 'Make a draft with a message attached',
    description:
      'The message is attached byte for byte as message/rfc822. Nothing is sent: give the draft recipients, then send it.',
    tags: ['messages'],
    idempotent: true,
    request: { params: MessageParams },
    responses: {
      201: {
        description: 'The new draft.',
        headers: tagHeader,
        content: { 'application/json': { schema: Draft } },
      },
      ...notFoundResponse,
      ...upstreamResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    const { signal } = c.req.raw
    const { runtime, binding } = c.var
    const draft = await forwardAsDraft(runtime, { messageId: id, signal, binding })
    c.header('ETag', draftTag(draft))
    return c.json(draftJson(draft), 201)
  },
})
