import { confirmMove } from '../../domain/mailbox-changes/confirm-move.ts'
import type { DueChange } from '../../domain/mailbox-changes/due.ts'
import { postponeChanges } from '../../domain/mailbox-changes/postpone.ts'
import { settleChanges, startMoves } from '../../domain/mailbox-changes/settle.ts'
import type { Folder } from '../../domain/sync/folder.ts'
import { findFolder } from '../../domain/sync/folder-state.ts'
import { underLease } from '../../domain/sync/lease.ts'
import { removeMessages } from '../../domain/sync/remove-messages.ts'
import type { Relocated } from '../../runtime/ports/mail-server.ts'
import { findCopy, soughtOf } from './find-copy.ts'
import { openMailbox } from './open-mailbox.ts'
import {
  type Group,
  type Place,
  placeOf,
  type PushConnection,
  type PushPorts,
} from './push-ports.ts'

/** Messages that a server has in one folder and is to have in another. */
export interface Relocation {
  readonly group: Group
  readonly folder: Folder
  /** Whether they are then where they are meant to be. */
  readonly isComplete: boolean
}

/** Few enough that the transaction stays under 20 ms. */
const CONFIRMED_AT_ONCE = 25
const NOT_FOUND = 'The message was moved and cannot be found yet.'

/**
 * Has the server move messages: by MOVE, else by COPY, after which the originals are expunged one by one, never all
 * that somebody marked. What an earlier attempt has begun is looked for first. False while their UIDs are not known.
 */
export async function relocate(
  ctx: PushPorts,
  connection: PushConnection,
  relocation: Relocation,
): Promise<boolean> {
  const { group, folder } = relocation
  if (group.some(({ startedAt }) => startedAt !== null)) {
    for (const change of group) await resume(ctx, connection, { ...relocation, change })
    return true
  }
  const { session, lease } = connection
  const place = group[0] && placeOf(group[0])
  if (!place || !(await openMailbox(ctx, connection, place))) return false
  await startMoves(
    ctx,
    lease,
    group.map(({ id }) => id),
  )
  const uids = group.flatMap(({ uid }) => uid ?? [])
  const relocated = session.canMove
    ? await session.moveMessages(uids, folder.path)
    : await session.copyMessages(uids, folder.path)
  // Where the server did not say where a message is now, the next round looks for it.
  const told = group.flatMap((change) => {
    const uid = change.uid === null ? undefined : relocated?.uids.get(change.uid)
    if (!relocated || uid === undefined) return []
    return [{ change, to: placeIn(folder, relocated, uid) }]
  })
  await confirm(ctx, connection, { ...relocation, told, isOriginalLeft: !session.canMove })
  return true
}

const placeIn = ({ id }: Folder, { uidValidity }: Relocated, uid: number): Place => ({
  folderId: id,
  uidValidity: String(uidValidity),
  uid,
})

interface Confirmed extends Relocation {
  /** Where messages are now. */
  readonly told: readonly { readonly change: DueChange; readonly to: Place }[]
  readonly isOriginalLeft: boolean
}

async function confirm(
  ctx: PushPorts,
  { lease }: PushConnection,
  { told, isOriginalLeft, isComplete }: Confirmed,
): Promise<void> {
  const nowMs = ctx.clock.now().getTime()
  for (let start = 0; start < told.length; start += CONFIRMED_AT_ONCE) {
    const some = told.slice(start, start + CONFIRMED_AT_ONCE)
    await underLease(ctx, lease, async (tx) => {
      for (const { change, to } of some) {
        const ids = { id: change.id, messageId: change.messageId ?? 0 }
        await confirmMove(tx, { change: ids, place: to, isOriginalLeft, isComplete, nowMs })
      }
    })
  }
}

/** Goes on with a move that was begun: nobody knows how far it came. */
async function resume(
  ctx: PushPorts,
  connection: PushConnection,
  relocation: Relocation & { readonly change: DueChange },
): Promise<void> {
  const { change, folder } = relocation
  const { session, lease } = connection
  const place = placeOf(change)
  const opened = place && (await openMailbox(ctx, connection, place))
  const isThere =
    place !== undefined &&
    opened !== undefined &&
    (await session.searchCopies(soughtOf(change))).includes(place.uid)
  const to = await findCopy(ctx, connection, { change, folder })
  if (to)
    return confirm(ctx, connection, {
      ...relocation,
      told: [{ change, to }],
      isOriginalLeft: isThere,
    })
  // A sync may find it again where the mailbox has other UIDs now.
  if (!opened && (await isBeingRebuilt(ctx, change)))
    return postponeChanges(ctx, lease, { ids: [change.id], reason: NOT_FOUND })
  if (!place || !isThere)
    return forget(ctx, connection, { change, isTold: opened?.highestModseq !== undefined })
  await openMailbox(ctx, connection, place)
  const { uid } = place
  const relocated = session.canMove
    ? await session.moveMessages([uid], folder.path)
    : await session.copyMessages([uid], folder.path)
  const now = relocated?.uids.get(uid)
  const found =
    relocated && now !== undefined
      ? placeIn(folder, relocated, now)
      : await findCopy(ctx, connection, { change, folder })
  if (found)
    return confirm(ctx, connection, {
      ...relocation,
      told: [{ change, to: found }],
      isOriginalLeft: !session.canMove,
    })
  return postponeChanges(ctx, lease, { ids: [change.id], reason: NOT_FOUND })
}

/** Whether the UIDs of the folder that held the message are being learnt anew. */
async function isBeingRebuilt(
  ctx: PushPorts,
  { serverFolderId, uid }: DueChange,
): Promise<boolean> {
  const folder = serverFolderId === null ? undefined : await findFolder(ctx, serverFolderId)
  return folder !== undefined && (uid !== null || folder.syncedDownToUid !== 0)
}

interface Forgotten {
  readonly change: DueChange
  readonly isTold: boolean
}

/** It is in neither folder: somebody has removed it meanwhile. */
async function forget(
  ctx: PushPorts,
  { lease }: PushConnection,
  { change: { id, messageId, serverFolderId, uid }, isTold }: Forgotten,
): Promise<void> {
  await settleChanges(ctx, lease, [id])
  if (messageId === null) return
  const gone = [{ id: messageId, uid }]
  await removeMessages(ctx, lease, { folderId: serverFolderId, gone, isTold })
}
