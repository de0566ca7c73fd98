import type { DueChange, FolderChange } from '../../domain/mailbox-changes/due.ts'
import { isCreationPending, settleChanges } from '../../domain/mailbox-changes/settle.ts'
import { findFolder } from '../../domain/sync/folder-state.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import { pushGmailPlace } from './push-gmail-place.ts'
import type { Group, PushConnection, PushPorts } from './push-ports.ts'
import { relocate } from './relocate.ts'

/**
 * Moves messages of one folder to another. False while that is not possible yet. Throws a `MailServerError` of kind
 * `refused` where there is no such folder any more.
 */
export async function pushMoves(
  ctx: PushPorts,
  connection: PushConnection,
  group: Group,
): Promise<boolean> {
  const { folderId } = (group[0]?.change ?? { folderId: 0 }) as FolderChange
  const folder = await findFolder(ctx, folderId)
  if (!folder)
    throw new MailServerError('refused', 'The folder is gone.', {
      retryable: false,
      code: 'CANNOT',
    })
  if (await isCreationPending(ctx, folderId)) return false
  if (group.some(isOfGmail)) return pushGmailPlace(ctx, connection, { group, folder })
  if (group.every(({ serverFolderId }) => serverFolderId === folderId)) {
    const ids = group.map(({ id }) => id)
    await settleChanges(ctx, connection.lease, ids)
    return true
  }
  return relocate(ctx, connection, { group, folder, isComplete: true })
}

const isOfGmail = ({ serverLabels }: DueChange) => serverLabels !== null
