import type { Original } from '../../domain/mailbox-changes/due.ts'
import { settleChanges, settleExpunge } from '../../domain/mailbox-changes/settle.ts'
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
  await session.expunge(changes.map(({ original }) => original.uid))
  await settleExpunge(ctx, lease, { changes, isGone: session.canExpunge })
}
