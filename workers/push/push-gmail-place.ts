import { confirmFlags } from '../../domain/mailbox-changes/confirm-flags.ts'
import { settleChanges } from '../../domain/mailbox-changes/settle.ts'
import { findAllMail } from '../../domain/sync/gmail-folders.ts'
import type { Folder } from '../../domain/sync/folder.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import { openMailbox } from './open-mailbox.ts'
import { type Group, placeOf, type PushConnection, type PushPorts } from './push-ports.ts'
import { relocate } from './relocate.ts'

interface GmailPlace {
  readonly group: Group
  readonly folder: Folder
}

/**
 * Puts messages of a Gmail account, all in one folder, where they are meant to be: Spam and Trash are places, the inbox
 * is a label in All Mail, and the archive is All Mail without it.
 */
export async function pushGmailPlace(
  ctx: PushPorts,
  connection: PushConnection,
  { group, folder }: GmailPlace,
): Promise<boolean> {
  const { lease } = connection
  const ids = group.map(({ id }) => id)
  const isPlace = folder.specialUse === 'spam' || folder.specialUse === 'trash'
  const isLabel = folder.specialUse === 'inbox' || folder.specialUse === 'archive'
  if (!isPlace && !isLabel)
    throw new MailServerError('refused', 'Gmail decides itself what this folder shows.', {
      retryable: false,
      code: 'CANNOT',
    })
  const holding = isPlace ? folder : await findAllMail(ctx, lease.accountId)
  if (!holding) return false
  const isHeld = group.every(({ serverFolderId }) => serverFolderId === holding.id)
  if (!isHeld) return relocate(ctx, connection, { group, folder: holding, isComplete: isPlace })
  if (isPlace) await settleChanges(ctx, lease, ids)
  else return labelInbox(ctx, connection, { group, folder })
  return true
}

async function labelInbox(
  ctx: PushPorts,
  connection: PushConnection,
  { group, folder }: GmailPlace,
): Promise<boolean> {
  const { session, lease } = connection
  const place = group[0] && placeOf(group[0])
  if (!place || !(await openMailbox(ctx, connection, place))) return false
  const labels = folder.specialUse === 'inbox' ? { add: ['\\Inbox'] } : { remove: ['\\Inbox'] }
  await session.storeGmailLabels(
    group.flatMap(({ uid }) => uid ?? []),
    labels,
  )
  const changes = group.map(({ id, messageId }) => ({ id, messageId: messageId ?? 0 }))
  await confirmFlags(ctx, lease, { changes, flags: {}, labels })
  return true
}
