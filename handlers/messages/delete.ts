import { endpoint, scoped } from '../kit/endpoint.ts'
import { MessageParams } from './message.schema.ts'
import { moved, movedResponses } from './moved.ts'

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
    responses: movedResponses,
  }),
  handler: async (c) =>
    c.json(await moved(c.var.runtime, { ...c.req.valid('param'), moveTo: 'trash' }), 200),
})
