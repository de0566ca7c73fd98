import { z } from '@hono/zod-openapi'
import * as drafts from '../../domain/drafts/send.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse, sendFailedResponse } from '../kit/error-responses.ts'
import { timestamp } from '../kit/timestamp.ts'
import { scheduledJson, sentJson, submissionResponses } from '../messages/submission.schema.ts'
import { DraftParams } from './draft.schema.ts'

const DraftSending = z
  .strictObject({ schedule_at: timestamp('When to send it; absent for now.').optional() })
  .openapi('DraftSending', { description: 'How a draft is to be sent.', example: {} })

export const sendDraft = endpoint({
  route: scoped('mail:send', {
    method: 'post',
    path: '/v1/drafts/{id}/send',
    operationId: 'sendDraft',
    summary: 'Send a draft',
    description:
      'Now, and then the answer says what the mail server said, or later with `schedule_at`. The draft goes when it has ' +
      'been sent, with its copy on the mail server, and stays when it has not. A failure means that nothing was sent, ' +
      'unless `details.outbox_id` is there: then nobody knows yet, and its outbox entry will say more.',
    tags: ['drafts'],
    idempotent: true,
    request: {
      params: DraftParams,
      body: { required: false, content: { 'application/json': { schema: DraftSending } } },
    },
    responses: { ...submissionResponses, ...notFoundResponse, ...sendFailedResponse },
  }),
  handler: async (c) => {
    const { schedule_at: scheduleAt } = c.req.valid('json')
    const { runtime, binding } = c.var
    const submission = await drafts.sendDraft(runtime, {
      ...c.req.valid('param'),
      scheduleAt,
      binding,
    })
    return submission.kind === 'sent'
      ? c.json(sentJson(submission), 200)
      : c.json(scheduledJson(submission), 202)
  },
})
