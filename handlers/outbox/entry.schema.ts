import { z } from '@hono/zod-openapi'
import type { OutboxEntry } from '../../domain/outbox/entry.ts'
import { collectionOf } from '../kit/collection.ts'
import { pathId } from '../kit/query-types.ts'
import { timestamp } from '../kit/timestamp.ts'
import { Address } from '../messages/message.schema.ts'

export const EntryParams = z.object({ id: pathId('The id of the outbox entry.') })

const EXAMPLE = {
  outbox_id: 4,
  account: 'Work',
  to: [{ address: 'charles@example.com' }],
  subject: 'The engine',
  send_at: '2026-12-24T08:00:00.000Z',
  status: 'scheduled' as const,
  message_id: '7b0c1c1e-5a5e-4f3c-8f0e-6a4c3b2d1e0f@example.org',
}

export const Entry = z
  .object({
    outbox_id: z.int().positive().openapi({ description: 'The id of the entry.' }),
    account: z.string().openapi({ description: 'The account that it is sent from.' }),
    to: z.array(Address).readonly().openapi({ description: 'The To header.' }),
    subject: z.string().openapi({ description: 'The subject.' }),
    send_at: z.iso.datetime().openapi({ description: 'When it is sent, or was to be.' }),
    status: z.enum(['scheduled', 'sending', 'sent', 'failed', 'cancelled']).openapi({
      description:
        '`sending` from the moment it is handed over; `failed` says in `error` whether it may have been sent. `scheduled` again while it is tried for recipients whom the server refused for now: `error` names them.',
    }),
    error: z.string().optional().openapi({
      description: 'Why it failed, why it is tried again, or who may not have got it.',
    }),
    message_id: z.string().optional().openapi({
      description: 'Its Message-ID header without angle brackets.',
    }),
  })
  .openapi('OutboxEntry', {
    description: 'A message that is to be sent, or was.',
    example: EXAMPLE,
  })

export const EntryList = collectionOf(Entry).openapi('OutboxEntryList', {
  description: 'A page of outbox entries, the latest `send_at` first.',
  example: { data: [EXAMPLE], next_cursor: '' },
})

export const EntryChanges = z
  .strictObject({ send_at: timestamp('When to send it; one that is past means at once.') })
  .openapi('OutboxEntryChanges', {
    description: 'What to change of an entry.',
    example: { send_at: '2026-12-25T08:00:00Z' },
  })

export const entryJson = (entry: OutboxEntry) => ({
  outbox_id: entry.id,
  account: entry.account,
  to: entry.message.to,
  subject: entry.message.subject,
  send_at: new Date(entry.sendAt).toISOString(),
  status: entry.status,
  error: entry.error ?? undefined,
  message_id: entry.messageIdHeader,
})
