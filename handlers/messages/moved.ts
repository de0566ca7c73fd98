import { changeMessage, type ChangePorts } from '../../domain/messages/change.ts'
import type { MadeRole } from '../../domain/folders/folder-of-role.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { Moved } from './moved.schema.ts'

/** What the endpoints answer that move a message to a folder of a role. */
export const movedResponses = {
  200: {
    description: 'Where it is now.',
    content: { 'application/json': { schema: Moved } },
  },
  ...notFoundResponse,
} as const

/** Moves the message and says where it is then. */
export async function moved(
  runtime: ChangePorts,
  { id, moveTo }: { readonly id: number; readonly moveTo: MadeRole },
) {
  const { folderId } = await changeMessage(runtime, { messageId: id, change: { moveTo } })
  return { status: 'ok', folder_id: folderId } as const
}
