import { findFolder } from '../../domain/sync/folder-state.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { SelectedMailbox } from '../../runtime/ports/mail-server.ts'
import type { Place, PushConnection, PushPorts } from './push-ports.ts'

/**
 * Opens the mailbox of a folder to change it. Undefined where it is no longer the one whose UIDs are known: a sync
 * will find its messages again. Throws a `MailServerError` of kind `refused` where it is read-only.
 */
export async function openMailbox(
  ctx: PushPorts,
  { session }: PushConnection,
  { folderId, uidValidity }: Omit<Place, 'uid'>,
): Promise<SelectedMailbox | undefined> {
  const folder = await findFolder(ctx, folderId)
  if (!folder) return undefined
  const selected = await session.select(folder.path)
  if (String(selected.uidValidity) !== uidValidity) return undefined
  if (selected.readOnly)
    throw new MailServerError('refused', 'The mailbox is read-only.', {
      retryable: false,
      code: 'READ-ONLY',
    })
  return selected
}
