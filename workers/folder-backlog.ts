import { unconfirmedMessages } from '../domain/sync/folder-state.ts'
import { removeMessages } from '../domain/sync/remove-messages.ts'
import { intakeOf, type OpenFolder, saveState, type SyncPorts } from './open-folder.ts'
import { takeIn } from './take-in.ts'

/** How many messages of a first sync are fetched before what is new is looked at again. */
export const BACKLOG_SLICE_MESSAGES = 1_000

/**
 * Goes on with the first sync of the open folder: the newest `limit` messages it has not fetched yet. True when
 * none are left. Cut off anywhere, the next call begins where the last complete one ended.
 */
export async function fetchBacklog(
  ctx: SyncPorts,
  open: OpenFolder,
  limit: number,
): Promise<boolean> {
  const { folder, session, lease, backlogs } = open
  const downTo = folder.syncedDownToUid ?? 0
  if (downTo === 0) return true
  const backlog =
    backlogs.get(folder.id) ?? (await session.searchUids()).filter((uid) => uid < downTo)
  const uids = backlog.slice(-limit)
  await takeIn(ctx, intakeOf(open), uids)
  const left = backlog.slice(0, -limit)
  backlogs.set(folder.id, left)
  if (left.length > 0) {
    await saveState(ctx, open, { syncedDownToUid: uids[0] ?? downTo })
  } else {
    const gone = await unconfirmedMessages(ctx, folder.id)
    await removeMessages(ctx, lease, { folderId: folder.id, gone, isTold: false })
    await saveState(ctx, open, {
      syncedDownToUid: 0,
      firstSyncedAt: folder.firstSyncedAt ?? ctx.clock.now().getTime(),
    })
  }
  ctx.wake.now('changes')
  return left.length === 0
}
