import * as outbox from '../../domain/outbox/get.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Entry, entryJson, EntryParams } from './entry.schema.ts'

export const getOutboxEntry = endpoint({
  route: scoped('mail:send', {
    method: 'get',
    path: '/v1/outbox/{id}',
    operationId: 'getOutboxEntry',
    summary: 'Get an outbox entry',
    description: 'How a message stands that is to be sent, or was.',
    tags: ['sending'],
    request: { params: EntryParams },
    responses: {
      200: { description: 'The entry.', content: { 'application/json': { schema: Entry } } },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    return c.json(entryJson(await outbox.getOutboxEntry(c.var.runtime, id)), 200)
  },
})
