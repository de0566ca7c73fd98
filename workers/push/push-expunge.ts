import type { Original } from '../../domain/mailbox-changes/due.ts'
import { settleChanges, settleExpunge } from '../../domain/mailbox-changes/settle.ts'
import { findTrash } from '../../domain/sync/gmail-folders.ts'
import { openMailbox } from './open-mailbox.ts'
import type { Group, PushConnection, PushPorts } from './push-ports.ts'

/** Expunges originals of messages that were copied elsewhere, of one folder; with another UIDVALIDITY they are gone. */
export async function pushExpunge(
  ctx: PushPorts,
  connection: PushConnection,
  group: Group,
): Promise<void> {
  const { session, lease } = connection
  const changes = group.map(({ id, change }) => ({ id, original: change as Original }))
  const [first] = changes
  if (!first) return
  const ids = changes.map(({ id }) => id)
  if (!(await openMailbox(ctx, connection, first.original))) return settleChanges(ctx, lease, ids)
  const uids = changes.map(({ original }) => original.uid)
  if (session.hasGmailLabels && first.original.isForGood)
    await expungeOnGmail(ctx, connection, uids)
  else await session.expunge(uids)
  await settleExpunge(ctx, lease, { changes, isGone: session.canExpunge })
}

/** On Gmail nothing goes from All Mail; what is to go for good has to go from Trash. */
async function expungeOnGmail(
  ctx: PushPorts,
  { session, lease }: PushConnection,
  uids: readonly number[],
): Promise<void> {
  const trash = await findTrash(ctx, lease.accountId)
  const relocated = trash && (await session.moveMessages(uids, trash.path))
  if (!trash || !relocated) return
  const { uidValidity } = await session.select(trash.path)
  if (uidValidity === relocated.uidValidity) await session.expunge([...relocated.uids.values()])
}
