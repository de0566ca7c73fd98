import { z } from '@hono/zod-openapi'
import * as outbox from '../../domain/outbox/list.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { cursor, limit } from '../kit/query-types.ts'
import { EntryList, entryJson } from './entry.schema.ts'

export const listOutbox = endpoint({
  route: scoped('mail:send', {
    method: 'get',
    path: '/v1/outbox',
    operationId: 'listOutbox',
    summary: 'List the outbox',
    description: 'Messages that are to be sent and what became of earlier ones, the latest first.',
    tags: ['sending'],
    request: { query: z.object({ limit: limit(500, 100), cursor }) },
    responses: {
      200: {
        description: 'A page of entries.',
        content: { 'application/json': { schema: EntryList } },
      },
    },
  }),
  handler: async (c) => {
    const page = await outbox.listOutbox(c.var.runtime, c.req.valid('query'))
    return c.json(collection(page, entryJson), 200)
  },
})
