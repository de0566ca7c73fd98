import { setSyncState } from '../domain/accounts/set-sync-state.ts'
import { isUnchanged } from '../domain/sync/folder-state.ts'
import type { Lease } from '../domain/sync/lease.ts'
import type { Folder } from '../domain/sync/folder.ts'
import type { FolderPair } from '../domain/sync/reconcile-folders.ts'
import { type AccountView, viewAccount } from './account-view.ts'
import { BACKLOG_SLICE_MESSAGES, fetchBacklog } from './folder-backlog.ts'
import { refreshFolder } from './folder-refresh.ts'
import { whereAllowed } from './folder-sync.ts'
import { type AccountConnection, openFolder, type SyncPorts } from './open-folder.ts'

/** What fills the first screen of a client. */
const FIRST_SCREEN_MESSAGES = 50

/**
 * One pass over the whole account: the folder tree, then the newest messages of every folder, then the rest, with
 * a look at where mail arrives in between. A folder that has not changed costs nothing; one that the server refuses is
 * passed over.
 */
export async function passOverAccount(
  ctx: SyncPorts,
  given: AccountConnection,
): Promise<AccountView> {
  const view = await viewAccount(ctx, given)
  const { connection, pairs, primary } = view
  await showFirstSync(ctx, connection.lease, pairs)

  const incomplete: Folder[] = []
  for (const { folder, mailbox } of pairs) {
    if (isUnchanged(folder, mailbox.status)) continue
    await whereAllowed(ctx, { folder, primary }, async () => {
      const open = await openFolder(ctx, connection, folder)
      const isComplete = await fetchBacklog(ctx, open, FIRST_SCREEN_MESSAGES)
      await refreshFolder(ctx, open)
      if (!isComplete) incomplete.push(open.folder)
    })
  }
  for (const folder of incomplete)
    await whereAllowed(ctx, { folder, primary }, () => fetchRest(ctx, view, folder))
  return view
}

/** Completes the first sync of the folder, and looks at where mail arrives after every slice. */
async function fetchRest(
  ctx: SyncPorts,
  { connection, primary }: AccountView,
  folder: Folder,
): Promise<void> {
  for (;;) {
    const open = await openFolder(ctx, connection, folder)
    const isComplete = await fetchBacklog(ctx, open, BACKLOG_SLICE_MESSAGES)
    await refreshFolder(ctx, open)
    if (isComplete) return
    if (primary && primary.id !== folder.id)
      await refreshFolder(ctx, await openFolder(ctx, connection, primary), 'recent')
  }
}

/** Shows that a first sync runs and how much it has before it; nothing when the whole account has had one. */
async function showFirstSync(
  ctx: SyncPorts,
  lease: Lease,
  pairs: readonly FolderPair[],
): Promise<void> {
  if (pairs.every(({ folder }) => folder.firstSyncedAt !== null)) return
  const total = pairs.reduce((sum, { mailbox }) => sum + (mailbox.status?.exists ?? 0), 0)
  await setSyncState(ctx, lease, { state: 'syncing', total })
}
