import * as drafts from '../../domain/drafts/delete.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { DraftParams } from './draft.schema.ts'

export const deleteDraft = endpoint({
  route: scoped('mail:send', {
    method: 'delete',
    path: '/v1/drafts/{id}',
    operationId: 'deleteDraft',
    summary: 'Delete a draft',
    description: 'Its copy on the mail server goes too, for good: it is not moved to Trash.',
    tags: ['drafts'],
    request: { params: DraftParams },
    responses: { 204: { description: 'Deleted.' }, ...notFoundResponse },
  }),
  handler: async (c) => {
    await drafts.deleteDraft(c.var.runtime, c.req.valid('param'))
    return c.body(null, 204)
  },
})
