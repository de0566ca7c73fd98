import { z } from '@hono/zod-openapi'
import {
  CHANGED_AT_ONCE_MAX,
  type ChangeResult,
  changeMessages,
} from '../../domain/messages/change-many.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { changeFields, changeSet } from './change.schema.ts'

const ids = z
  .array(z.int().positive())
  .max(CHANGED_AT_ONCE_MAX)
  .readonly()
  .openapi({ description: 'The messages to change.' })

const BatchChange = z
  .union([
    z.strictObject({ ids, ...changeFields }),
    z.strictObject({
      ids,
      move_to: z.enum(['archive', 'spam', 'trash']).openapi({
        description: 'Where to move them, each in its own account.',
      }),
    }),
  ])
  .openapi('BatchChange', {
    description: 'Messages, and either what PATCH takes or a place to move them to.',
    example: { ids: [17, 18], move_to: 'archive' },
  })

const BatchResult = z
  .object({
    id: z.int().positive().openapi({ description: 'The id that was asked for.' }),
    status: z.enum(['ok', 'error']).openapi({ description: 'Whether it was changed.' }),
    folder_id: z
      .int()
      .positive()
      .optional()
      .openapi({ description: 'The folder it is in now; absent where nothing was changed.' }),
    error: z
      .object({
        code: z.enum(['not_found', 'invalid_request']).openapi({ description: 'Why not.' }),
        message: z.string().openapi({ description: 'The same for people.' }),
      })
      .optional()
      .openapi({ description: 'Why it was not changed.' }),
  })
  .openapi('BatchResult', {
    description: 'What became of one message.',
    example: { id: 17, status: 'ok', folder_id: 4 },
  })

const BatchResults = z
  .object({ results: z.array(BatchResult).openapi({ description: 'In the order of the ids.' }) })
  .openapi('BatchResults', {
    description: 'What became of each message.',
    example: { results: [{ id: 17, status: 'ok', folder_id: 4 }] },
  })

export const batchMessages = endpoint({
  route: scoped('mail:modify', {
    method: 'post',
    path: '/v1/messages/batch',
    operationId: 'changeMessages',
    summary: 'Change many messages',
    description:
      'Up to a thousand messages, of any account, and one change for all, in one step. What cannot be changed says ' +
      'why and keeps nothing else from it.',
    tags: ['messages'],
    request: {
      body: { required: true, content: { 'application/json': { schema: BatchChange } } },
    },
    responses: {
      200: {
        description: 'What became of each.',
        content: { 'application/json': { schema: BatchResults } },
      },
    },
  }),
  handler: async (c) => {
    const { ids: messageIds, ...wanted } = c.req.valid('json')
    const change = 'move_to' in wanted ? { moveTo: wanted.move_to } : changeSet(wanted)
    const results = await changeMessages(c.var.runtime, { messageIds, change })
    return c.json({ results: results.map(resultJson) }, 200)
  },
})

function resultJson(result: ChangeResult) {
  const { messageId: id } = result
  if (!('error' in result)) return { id, status: 'ok' as const, folder_id: result.folderId }
  const code =
    result.error.code === 'not_found' ? ('not_found' as const) : ('invalid_request' as const)
  return { id, status: 'error' as const, error: { code, message: result.error.message } }
}
