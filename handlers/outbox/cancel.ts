import * as outbox from '../../domain/outbox/cancel.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Entry, entryJson, EntryParams } from './entry.schema.ts'

export const cancelOutboxEntry = endpoint({
  route: scoped('mail:send', {
    method: 'delete',
    path: '/v1/outbox/{id}',
    operationId: 'cancelOutboxEntry',
    summary: 'Cancel a message that waits in the outbox',
    description:
      'It is never sent; the entry stays, as `cancelled`. One that is being sent already is refused.',
    tags: ['sending'],
    request: { params: EntryParams },
    responses: {
      200: {
        description: 'The cancelled entry.',
        content: { 'application/json': { schema: Entry } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const entry = await outbox.cancelOutboxEntry(c.var.runtime, c.req.valid('param'))
    return c.json(entryJson(entry), 200)
  },
})
