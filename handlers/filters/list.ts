import * as filters from '../../domain/filters/list.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { FilterList, filterJson } from './filter.schema.ts'

export const listFilters = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/filters',
    operationId: 'listFilters',
    summary: 'List the filter rules',
    description: 'Every rule, in the order in which they are evaluated.',
    tags: ['filters'],
    responses: {
      200: {
        description: 'The rules.',
        content: { 'application/json': { schema: FilterList } },
      },
    },
  }),
  handler: async (c) => {
    const items = await filters.listFilters(c.var.runtime)
    return c.json(collection({ items }, filterJson), 200)
  },
})
