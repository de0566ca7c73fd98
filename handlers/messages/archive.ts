import { endpoint, scoped } from '../kit/endpoint.ts'
import { MessageParams } from './message.schema.ts'
import { moved, movedResponses } from './moved.ts'

export const archiveMessage = endpoint({
  route: scoped('mail:modify', {
    method: 'post',
    path: '/v1/messages/{id}/archive',
    operationId: 'archiveMessage',
    summary: 'Archive a message',
    description: 'Moves it to the archive of its account, which is made where there is none.',
    tags: ['messages'],
    request: { params: MessageParams },
    responses: movedResponses,
  }),
  handler: async (c) =>
    c.json(await moved(c.var.runtime, { ...c.req.valid('param'), moveTo: 'archive' }), 200),
})
