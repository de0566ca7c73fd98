import { z } from '@hono/zod-openapi'
import { sendMessage as send } from '../../domain/submission/send.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse, sendFailedResponse } from '../kit/error-responses.ts'
import { timestamp } from '../kit/timestamp.ts'
import { attachmentInputs, OutgoingAttachments } from './outgoing-attachment.schema.ts'
import { scheduledJson, sentJson, submissionResponses } from './submission.schema.ts'

const recipients = (description: string) =>
  z.array(z.string()).readonly().default([]).openapi({ description })

const NewMessage = z
  .strictObject({
    account: z
      .string()
      .optional()
      .openapi({
        description:
          'The name of the account to send from. Absent: the one whose address `from` is, else that of the message in ' +
          '`in_reply_to`, else the only one.',
      }),
    from: z.string().optional().openapi({
      description:
        'The address of an account, with or without a display name; an alias where `account` is given too.',
    }),
    to: recipients('Recipients, each one address with or without a name.'),
    cc: recipients('The same for a copy.'),
    bcc: recipients('The same for a copy that nobody else sees.'),
    reply_to: recipients('Where answers are to go instead.'),
    subject: z.string().default('').openapi({ description: 'The subject.' }),
    body: z
      .string()
      .default('')
      .openapi({ description: 'The text, in the form that `mode` says.' }),
    mode: z.enum(['plain', 'html', 'markdown']).default('plain').openapi({
      description:
        'What `body` is. HTML goes out as it is; markdown (GitHub flavour) is rendered. Both get a text beside them.',
    }),
    in_reply_to: z.int().positive().optional().openapi({
      description: 'The id of the message that this answers: it goes into the same conversation.',
    }),
    attachments: OutgoingAttachments,
    schedule_at: timestamp('When to send it; absent for now.').optional(),
  })
  .openapi('NewMessage', {
    description: 'A message to send. At least one of `to`, `cc` and `bcc` names somebody.',
    example: {
      to: ['Charles Babbage <charles@example.com>'],
      subject: 'The engine',
      body: 'It can do *whatever* we know how to order it to perform.',
      mode: 'markdown',
    },
  })

export const sendMessage = endpoint({
  route: scoped('mail:send', {
    method: 'post',
    path: '/v1/messages/send',
    operationId: 'sendMessage',
    summary: 'Send a message',
    description:
      'Now, and then the answer says what the mail server said, or later with `schedule_at`. A failure means that ' +
      'nothing was sent, unless `details.outbox_id` is there: then nobody knows yet, and its outbox entry will say more.',
    tags: ['sending'],
    idempotent: true,
    request: {
      body: { required: true, content: { 'application/json': { schema: NewMessage } } },
    },
    responses: { ...submissionResponses, ...notFoundResponse, ...sendFailedResponse },
  }),
  handler: async (c) => {
    const { in_reply_to, reply_to, schedule_at, attachments, ...message } = c.req.valid('json')
    const submission = await send(c.var.runtime, {
      ...message,
      replyTo: reply_to,
      inReplyTo: in_reply_to,
      scheduleAt: schedule_at,
      attachments: attachmentInputs(attachments, c.var.longData),
      binding: c.var.binding,
    })
    return submission.kind === 'sent'
      ? c.json(sentJson(submission), 200)
      : c.json(scheduledJson(submission), 202)
  },
})
