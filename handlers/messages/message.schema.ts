import { z } from '@hono/zod-openapi'
import type { MessageRow } from '../../domain/messages/message-row.ts'
import { collectionOf } from '../kit/collection.ts'
import { pathId } from '../kit/query-types.ts'

export const MessageParams = z.object({ id: pathId('The id of the message.') })

export const Address = z
  .object({
    name: z.string().optional().openapi({ description: 'The display name, where there is one.' }),
    address: z.string().openapi({ description: 'The address, as written in the header.' }),
  })
  .openapi('Address', {
    description: 'A mailbox of RFC 5322 section 3.4.',
    example: { name: 'Ada Lovelace', address: 'ada@example.org' },
  })

const addresses = (description: string) => z.array(Address).readonly().openapi({ description })
const timestamp = (description: string) => z.iso.datetime().openapi({ description })

export const MESSAGE_EXAMPLE = {
  id: 17,
  account: 'Work',
  folder_id: 1,
  thread_id: 12,
  message_id: 'a1b2c3@example.org',
  from: { name: 'Ada Lovelace', address: 'ada@example.org' },
  to: [{ address: 'charles@example.com' }],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: 'The engine',
  date: '2026-03-01T12:00:00.000Z',
  size: 14231,
  read: false,
  starred: true,
  answered: false,
  has_attachments: true,
  snippet: 'The engine can do whatever we know how to order it to perform.',
  labels: ['science'],
}

export const Message = z
  .object({
    id: z.int().positive().openapi({ description: 'The id of the message in this service.' }),
    account: z.string().openapi({ description: 'The name of its account.' }),
    folder_id: z.int().positive().openapi({ description: 'The folder it is in.' }),
    thread_id: z.int().positive().openapi({
      description: 'Its conversation over all folders of the account.',
    }),
    message_id: z.string().optional().openapi({
      description: 'The Message-ID header without angle brackets.',
    }),
    in_reply_to: z.string().optional().openapi({
      description: 'The In-Reply-To header without angle brackets.',
    }),
    from: Address.optional().openapi({ description: 'Who wrote it.' }),
    to: addresses('The To header.'),
    cc: addresses('The Cc header.'),
    bcc: addresses('The Bcc header.'),
    reply_to: addresses('The Reply-To header.'),
    subject: z.string().openapi({ description: 'The subject; empty when there is none.' }),
    date: timestamp(
      'The Date header where it can be trusted, else when the server received it. Orders lists.',
    ),
    size: z.int().nonnegative().openapi({ description: 'Bytes of the raw message.' }),
    read: z.boolean().openapi({ description: 'Whether it was read.' }),
    starred: z.boolean().openapi({ description: 'Whether it is starred.' }),
    answered: z.boolean().openapi({ description: 'Whether it was answered.' }),
    has_attachments: z.boolean().openapi({ description: 'Whether anything is attached.' }),
    snippet: z.string().max(200).openapi({ description: 'The first text, whitespace folded.' }),
    labels: z.array(z.string()).readonly().openapi({ description: 'Its labels.' }),
    draft_id: z.int().positive().optional().openapi({
      description: 'The draft that this is the copy of on the server.',
    }),
    snoozed_until: timestamp('When it comes back to the inbox.').optional(),
  })
  .openapi('Message', { description: 'A message, without its body.', example: MESSAGE_EXAMPLE })

export const MessageList = collectionOf(Message).openapi('MessageList', {
  description: 'A page of messages.',
  example: { data: [MESSAGE_EXAMPLE], next_cursor: 'MTc3MjM2NjQwMDAwMC4xNw' },
})

export const messageJson = (row: MessageRow) => ({
  id: row.id,
  account: row.account,
  folder_id: row.folderId,
  thread_id: row.threadId,
  message_id: row.messageIdHeader ?? undefined,
  in_reply_to: row.inReplyToHeader ?? undefined,
  from: row.from[0],
  to: row.to,
  cc: row.cc,
  bcc: row.bcc,
  reply_to: row.replyTo,
  subject: row.subject,
  date: new Date(row.date).toISOString(),
  size: row.size,
  read: row.read,
  starred: row.starred,
  answered: row.answered,
  has_attachments: row.hasAttachments,
  snippet: row.snippet,
  labels: row.labels,
  draft_id: row.draftId ?? undefined,
  snoozed_until: row.snoozedUntil === null ? undefined : new Date(row.snoozedUntil).toISOString(),
})
