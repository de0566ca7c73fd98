import * as messages from '../../domain/messages/change.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Moved } from './change.schema.ts'
import { MessageParams } from './message.schema.ts'

export const markMessageAsSpam = endpoint({
  route: scoped('mail:modify', {
    method: 'post',
    path: '/v1/messages/{id}/spam',
    operationId: 'markMessageAsSpam',
    summary: 'Move a message to spam',
    description: 'Moves it to the spam folder of its account, which is made where there is none.',
    tags: ['messages'],
    request: { params: MessageParams },
    responses: {
      200: {
        description: 'Where it is now.',
        content: { 'application/json': { schema: Moved } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    const change = { moveTo: 'spam' } as const
    const { folderId } = await messages.changeMessage(c.var.runtime, { messageId: id, change })
    return c.json({ status: 'ok', folder_id: folderId } as const, 200)
  },
})
