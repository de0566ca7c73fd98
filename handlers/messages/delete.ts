import * as messages from '../../domain/messages/change.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Moved } from './change.schema.ts'
import { MessageParams } from './message.schema.ts'

export const deleteMessage = endpoint({
  route: scoped('mail:modify', {
    method: 'delete',
    path: '/v1/messages/{id}',
    operationId: 'deleteMessage',
    summary: 'Move a message to the trash',
    description:
      'Moves it to the trash of its account, which is made where there is none. One that is there already stays there.',
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
    const change = { moveTo: 'trash' } as const
    const { folderId } = await messages.changeMessage(c.var.runtime, { messageId: id, change })
    return c.json({ status: 'ok', folder_id: folderId } as const, 200)
  },
})
