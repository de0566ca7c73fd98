import * as messages from '../../domain/messages/change.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { changeSet, MessageChange } from './change.schema.ts'
import { Message, messageJson, MessageParams } from './message.schema.ts'

export const updateMessage = endpoint({
  route: scoped('mail:modify', {
    method: 'patch',
    path: '/v1/messages/{id}',
    operationId: 'updateMessage',
    summary: 'Change a message',
    description:
      'Read and starred, labels, and the folder it is in, applied in this order and in one step. The change is kept ' +
      'here before it is answered, and reaches the mail server afterwards, also over a restart. Labels are added ' +
      'before any is removed.',
    tags: ['messages'],
    request: {
      params: MessageParams,
      body: { required: true, content: { 'application/json': { schema: MessageChange } } },
    },
    responses: {
      200: {
        description: 'The message as it is now.',
        content: { 'application/json': { schema: Message } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    const change = changeSet(c.req.valid('json'))
    const message = await messages.changeMessage(c.var.runtime, { messageId: id, change })
    return c.json(messageJson(message), 200)
  },
})
