import * as filters from '../../domain/filters/update.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Filter, FilterChanges, filterJson, FilterParams } from './filter.schema.ts'

export const updateFilter = endpoint({
  route: scoped('mail:modify', {
    method: 'patch',
    path: '/v1/filters/{id}',
    operationId: 'updateFilter',
    summary: 'Change a filter rule',
    description: 'Only the fields that are present change, for mail that arrives from now on.',
    tags: ['filters'],
    request: {
      params: FilterParams,
      body: { required: true, content: { 'application/json': { schema: FilterChanges } } },
    },
    responses: {
      200: {
        description: 'The changed rule.',
        content: { 'application/json': { schema: Filter } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    const filter = await filters.updateFilter(c.var.runtime, { ...c.req.valid('json'), id })
    return c.json(filterJson(filter), 200)
  },
})
