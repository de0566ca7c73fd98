import * as drafts from '../../domain/drafts/get.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Draft, draftJson, DraftParams } from './draft.schema.ts'
import { draftTag, tagHeader } from './etag.ts'

export const getDraft = endpoint({
  route: scoped('mail:send', {
    method: 'get',
    path: '/v1/drafts/{id}',
    operationId: 'getDraft',
    summary: 'Read a draft',
    description: 'A draft with what is attached to it.',
    tags: ['drafts'],
    request: { params: DraftParams },
    responses: {
      200: {
        description: 'The draft.',
        headers: tagHeader,
        content: { 'application/json': { schema: Draft } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const draft = await drafts.getDraft(c.var.runtime, c.req.valid('param'))
    c.header('ETag', draftTag(draft))
    return c.json(draftJson(draft), 200)
  },
})
