import * as outbox from '../../domain/outbox/reschedule.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Entry, EntryChanges, entryJson, EntryParams } from './entry.schema.ts'

export const rescheduleOutboxEntry = endpoint({
  route: scoped('mail:send', {
    method: 'patch',
    path: '/v1/outbox/{id}',
    operationId: 'rescheduleOutboxEntry',
    summary: 'Send a message that waits in the outbox at another time',
    description:
      'One that is being sent already is refused, and so is one whose sender waits for the outcome.',
    tags: ['sending'],
    request: {
      params: EntryParams,
      body: { required: true, content: { 'application/json': { schema: EntryChanges } } },
    },
    responses: {
      200: {
        description: 'The entry as it is now.',
        content: { 'application/json': { schema: Entry } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    const { send_at: sendAt } = c.req.valid('json')
    const entry = await outbox.rescheduleOutboxEntry(c.var.runtime, { id, sendAt })
    return c.json(entryJson(entry), 200)
  },
})
