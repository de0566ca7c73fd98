import { endpoint, scoped } from '../kit/endpoint.ts'
import { MessageParams } from './message.schema.ts'
import { moved, movedResponses } from './moved.ts'

export const markMessageAsSpam = endpoint({
  route: scoped('mail:modify', {
    method: 'post',
    path: '/v1/messages/{id}/spam',
    operationId: 'markMessageAsSpam',
    summary: 'Move a message to spam',
    description: 'Moves it to the spam folder of its account, which is made where there is none.',
    tags: ['messages'],
    request: { params: MessageParams },
    responses: movedResponses,
  }),
  handler: async (c) =>
    c.json(await moved(c.var.runtime, { ...c.req.valid('param'), moveTo: 'spam' }), 200),
})
