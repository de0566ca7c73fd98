import * as filters from '../../domain/filters/delete.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { FilterParams } from './filter.schema.ts'

export const deleteFilter = endpoint({
  route: scoped('mail:modify', {
    method: 'delete',
    path: '/v1/filters/{id}',
    operationId: 'deleteFilter',
    summary: 'Delete a filter rule',
    description: 'What it did stays done; the rules behind it move up.',
    tags: ['filters'],
    request: { params: FilterParams },
    responses: { 204: { description: 'Deleted.' }, ...notFoundResponse },
  }),
  handler: async (c) => {
    await filters.deleteFilter(c.var.runtime, c.req.valid('param'))
    return c.body(null, 204)
  },
})
