import { z } from '@hono/zod-openapi'
import * as threads from '../../domain/threads/get.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { cursor, limit, pathId } from '../kit/query-types.ts'
import { MessageList, messageJson } from '../messages/message.schema.ts'

const Params = z.object({ thread_id: pathId('The `thread_id` of a message.') })
const Query = z.object({ limit: limit(500, 500), cursor })

export const getThread = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/threads/{thread_id}',
    operationId: 'getThread',
    summary: 'Read a conversation',
    description:
      'The messages of a conversation over all folders of its account, oldest first. The id of a conversation that ' +
      'was joined to an older one goes on answering, with the whole.',
    tags: ['threads'],
    request: { params: Params, query: Query },
    responses: {
      200: {
        description: 'A page of its messages.',
        content: { 'application/json': { schema: MessageList } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const threadId = c.req.valid('param').thread_id
    const page = await threads.getThread(c.var.runtime, { ...c.req.valid('query'), threadId })
    return c.json(collection(page, messageJson), 200)
  },
})
