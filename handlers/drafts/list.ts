import { z } from '@hono/zod-openapi'
import * as drafts from '../../domain/drafts/list.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { cursor, limit } from '../kit/query-types.ts'
import { DraftList, draftJson } from './draft.schema.ts'

const Query = z.object({
  account: z
    .string()
    .optional()
    .openapi({ description: 'Only those of the account of this name.' }),
  limit: limit(500, 100),
  cursor,
})

export const listDrafts = endpoint({
  route: scoped('mail:send', {
    method: 'get',
    path: '/v1/drafts',
    operationId: 'listDrafts',
    summary: 'List the drafts',
    description: 'Drafts, those written last first; also those that other mail programs have made.',
    tags: ['drafts'],
    request: { query: Query },
    responses: {
      200: {
        description: 'A page of drafts.',
        content: { 'application/json': { schema: DraftList } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const page = await drafts.listDrafts(c.var.runtime, c.req.valid('query'))
    return c.json(collection(page, draftJson), 200)
  },
})
