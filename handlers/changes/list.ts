import { z } from '@hono/zod-openapi'
import * as changes from '../../domain/changes/list.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { cursor, limit } from '../kit/query-types.ts'
import { ChangeList, changeJson } from './change.schema.ts'

const Query = z.object({
  since: z
    .string()
    .regex(/^\d{1,15}$/, 'is no number of this feed: read everything again')
    .transform(Number)
    .default(0)
    .openapi({
      type: 'integer',
      minimum: 0,
      default: 0,
      description:
        'The `seq` up to which everything is known; exclusive. A number that this feed has not reached is 400 and ' +
        'means: read everything again.',
    }),
  limit: limit(500, 100),
  cursor,
})

export const listChanges = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/changes',
    operationId: 'listChanges',
    summary: 'List what changed',
    description:
      'Everything that changed after `since`, oldest first, also what fires no event; of each thing only its ' +
      'newest change. Follow `next_cursor` with the same `since` to the last page, then look again with ' +
      '`since` set to `seq`.',
    tags: ['changes'],
    request: { query: Query },
    responses: {
      200: {
        description: 'The changes.',
        content: { 'application/json': { schema: ChangeList } },
      },
    },
  }),
  handler: async (c) => {
    const page = await changes.listChanges(c.var.runtime, c.req.valid('query'))
    return c.json({ ...collection(page, changeJson), seq: page.seq }, 200)
  },
})
