import { z } from '@hono/zod-openapi'
import { suggest } from '../../domain/search/suggestions/suggest.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { limit } from '../kit/query-types.ts'
import { Suggestions, suggestionsJson } from './suggestion.schema.ts'

const Query = z.object({
  prefix: z
    .string()
    .default('')
    .openapi({
      description:
        'What was typed so far: each of its words begins a word of what is suggested, in any order. Nothing: what is ' +
        'used most.',
    }),
  limit: limit(50, 10).openapi({ description: 'How many of each kind there are at most.' }),
})

export const getSuggestions = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/search/suggestions',
    operationId: 'getSuggestions',
    summary: 'Suggest addresses, labels and folders',
    description:
      'For whoever types a query or a recipient. Addresses come by how often and how lately they were used, and only ' +
      'while there is mail of them.',
    tags: ['messages'],
    request: { query: Query },
    responses: {
      200: {
        description: 'The suggestions.',
        content: { 'application/json': { schema: Suggestions } },
      },
    },
  }),
  handler: async (c) =>
    c.json(suggestionsJson(await suggest(c.var.runtime, c.req.valid('query'))), 200),
})
