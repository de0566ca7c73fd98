import { z } from '@hono/zod-openapi'
import type { ScheduledMessage } from '../../domain/submission/submit.ts'
import type { SentMessage } from '../../domain/submission/outcome.ts'

const RefusedRecipient = z
  .object({
    address: z.string().openapi({ description: 'Whom the server did not take.' }),
    smtp_code: z.int().openapi({ description: 'Its reply code (RFC 5321 section 4.2).' }),
    message: z.string().openapi({ description: 'Its own words.' }),
  })
  .openapi('RefusedRecipient', {
    description: 'A recipient who does not get a message that others get.',
    example: { address: 'gone@example.com', smtp_code: 550, message: '5.1.1 No such user.' },
  })

const Sent = z
  .object({
    status: z.literal('sent').openapi({ description: 'The mail server has taken it.' }),
    message_id: z
      .string()
      .openapi({ description: 'Its Message-ID header without angle brackets.' }),
    refused: z.array(RefusedRecipient).optional().openapi({
      description: 'Recipients whom the server did not take; absent when it took all of them.',
    }),
  })
  .openapi('SentMessage', {
    description: 'A message that was sent.',
    example: { status: 'sent', message_id: '7b0c1c1e-5a5e-4f3c-8f0e-6a4c3b2d1e0f@example.org' },
  })

const Scheduled = z
  .object({
    status: z.literal('scheduled').openapi({ description: 'It waits in the outbox.' }),
    outbox_id: z.int().positive().openapi({ description: 'The id of its entry there.' }),
    send_at: z.iso.datetime().openapi({ description: 'When it is sent.' }),
  })
  .openapi('ScheduledMessage', {
    description: 'A message that is sent later.',
    example: { status: 'scheduled', outbox_id: 4, send_at: '2026-12-24T08:00:00.000Z' },
  })

/** What a route that sends answers. */
export const submissionResponses = {
  200: { description: 'Sent.', content: { 'application/json': { schema: Sent } } },
  202: {
    description: 'Put into the outbox, to be sent later.',
    content: { 'application/json': { schema: Scheduled } },
  },
} as const

export const sentJson = ({ messageIdHeader, refused }: SentMessage) => ({
  status: 'sent' as const,
  message_id: messageIdHeader,
  ...(refused.length > 0 && {
    refused: refused.map(({ address, smtpCode, message }) => ({
      address,
      smtp_code: smtpCode,
      message,
    })),
  }),
})

export const scheduledJson = ({ outboxId, sendAt }: ScheduledMessage) => ({
  status: 'scheduled' as const,
  outbox_id: outboxId,
  send_at: new Date(sendAt).toISOString(),
})
