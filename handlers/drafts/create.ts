import * as drafts from '../../domain/drafts/create.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Draft, draftJson, NewDraft } from './draft.schema.ts'
import { attachmentInputs } from '../messages/outgoing-attachment.schema.ts'
import { draftTag, tagHeader } from './etag.ts'

export const createDraft = endpoint({
  route: scoped('mail:send', {
    method: 'post',
    path: '/v1/drafts',
    operationId: 'createDraft',
    summary: 'Create a draft',
    description:
      'A draft may be incomplete. It is kept here, and published to the Drafts folder of its account in the background, ' +
      'attachments included. Without `account` it is that of `in_reply_to`, else the only one there is.',
    tags: ['drafts'],
    idempotent: true,
    request: {
      body: { required: true, content: { 'application/json': { schema: NewDraft } } },
    },
    responses: {
      201: {
        description: 'The new draft.',
        headers: tagHeader,
        content: { 'application/json': { schema: Draft } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { attachments, in_reply_to: inReplyTo, ...fields } = c.req.valid('json')
    const draft = await drafts.createDraft(c.var.runtime, {
      ...fields,
      inReplyTo,
      attachments: attachments && attachmentInputs(attachments, c.var.longData),
      binding: c.var.binding,
    })
    c.header('ETag', draftTag(draft))
    return c.json(draftJson(draft), 201)
  },
})
