import * as filters from '../../domain/filters/create.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { Filter, filterJson, NewFilter } from './filter.schema.ts'

export const createFilter = endpoint({
  route: scoped('mail:modify', {
    method: 'post',
    path: '/v1/filters',
    operationId: 'createFilter',
    summary: 'Create a filter rule',
    description:
      'A rule for mail that arrives in an inbox from now on; no rule runs twice on a message, nor on mail of a first ' +
      'sync. One that forwards mail can carry it out of the mailbox, and is written to the log.',
    tags: ['filters'],
    idempotent: true,
    request: {
      body: { required: true, content: { 'application/json': { schema: NewFilter } } },
    },
    responses: {
      201: {
        description: 'The new rule.',
        content: { 'application/json': { schema: Filter } },
      },
    },
  }),
  handler: async (c) => {
    const { binding, runtime } = c.var
    const filter = await filters.createFilter(runtime, { ...c.req.valid('json'), binding })
    return c.json(filterJson(filter), 201)
  },
})
