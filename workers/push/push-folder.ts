import type { DueChange, FolderChange } from '../../domain/mailbox-changes/due.ts'
import { settleChanges, settleCreation } from '../../domain/mailbox-changes/settle.ts'
import { ATTRIBUTES } from '../../domain/folders/special-use.ts'
import { findFolder } from '../../domain/sync/folder-state.ts'
import type { PushConnection, PushPorts } from './push-ports.ts'

/** Makes a folder on the server. */
export async function pushFolder(
  ctx: PushPorts,
  { session, lease }: PushConnection,
  { id, change }: DueChange,
): Promise<void> {
  const { folderId } = change as FolderChange
  const folder = await findFolder(ctx, folderId)
  if (!folder) return settleChanges(ctx, lease, [id])
  const { path: wanted, specialUse } = folder
  const isOfRole = specialUse !== null && specialUse !== 'inbox'
  const path = await session.createMailbox(wanted, isOfRole ? ATTRIBUTES[specialUse] : undefined)
  await settleCreation(ctx, lease, { id, folderId, path })
}
