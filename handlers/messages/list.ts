import { z } from '@hono/zod-openapi'
import * as messages from '../../domain/messages/list.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { cursor, lenientFlag, lenientTimestamp, limit, reference } from '../kit/query-types.ts'
import { MessageList, messageJson } from './message.schema.ts'

const substring = (field: string) =>
  z
    .string()
    .optional()
    .openapi({ description: `Only messages with this in ${field}, whatever the case.` })

const Query = z.object({
  limit: limit(500, 100),
  cursor,
  folder: reference('folder', 'The id of the folder to list. Wins over `account`.'),
  account: z.string().optional().openapi({
    description: 'The name of the account whose inbox to list, without regard to case.',
  }),
  unread: lenientFlag(
    'Only unread messages, or only read ones. Ignored when it is neither true nor false.',
  ),
  starred: lenientFlag(
    'Only starred messages, or only others. Ignored when it is neither true nor false.',
  ),
  since: lenientTimestamp(
    'Only messages of this instant or later. Ignored when it is no RFC 3339 timestamp.',
  ),
  from: substring('the name or address of the sender'),
  to: substring('a name or address of To or Cc'),
  subject: substring('the subject'),
})

export const listMessages = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/messages',
    operationId: 'listMessages',
    summary: 'List messages',
    description:
      'The messages of a folder, of the inbox of an account, or, without either, of all inboxes; newest first. A ' +
      'page is full unless it is the last, and paging stays right while mail arrives.',
    tags: ['messages'],
    request: { query: Query },
    responses: {
      200: {
        description: 'A page of messages.',
        content: { 'application/json': { schema: MessageList } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { folder, ...query } = c.req.valid('query')
    const page = await messages.listMessages(c.var.runtime, { ...query, folderId: folder })
    return c.json(collection(page, messageJson), 200)
  },
})
