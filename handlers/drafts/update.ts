import * as drafts from '../../domain/drafts/update.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { conditionResponse, notFoundResponse } from '../kit/error-responses.ts'
import { Draft, DraftChanges, draftJson, DraftParams } from './draft.schema.ts'
import { attachmentInputs } from '../messages/outgoing-attachment.schema.ts'
import { draftTag, IfMatch, revisionsOf, tagHeader } from './etag.ts'

export const updateDraft = endpoint({
  route: scoped('mail:send', {
    method: 'patch',
    path: '/v1/drafts/{id}',
    operationId: 'updateDraft',
    summary: 'Change a draft',
    description:
      'Only the fields that are present change; `attachments` are then all that is attached. The copy on the mail ' +
      'server follows when nobody has written for a few seconds. A draft that is being sent cannot be changed.',
    tags: ['drafts'],
    request: {
      params: DraftParams,
      headers: IfMatch,
      body: { required: true, content: { 'application/json': { schema: DraftChanges } } },
    },
    responses: {
      200: {
        description: 'The draft as it is now.',
        headers: tagHeader,
        content: { 'application/json': { schema: Draft } },
      },
      ...notFoundResponse,
      ...conditionResponse,
    },
  }),
  handler: async (c) => {
    const { attachments, ...fields } = c.req.valid('json')
    const draft = await drafts.updateDraft(c.var.runtime, {
      ...fields,
      ...c.req.valid('param'),
      attachments: attachments && attachmentInputs(attachments, c.var.longData),
      revisions: revisionsOf(c.req.valid('header')['if-match']),
    })
    c.header('ETag', draftTag(draft))
    return c.json(draftJson(draft), 200)
  },
})
