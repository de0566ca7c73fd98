import { setSyncState } from '../domain/accounts/set-sync-state.ts'
import { isUnchanged } from '../domain/sync/folder-state.ts'
import type { Folder } from '../domain/sync/folder.ts'
import type { FolderPair } from '../domain/sync/reconcile-folders.ts'
import { type AccountView, viewAccount } from './account-view.ts'
import { BACKLOG_SLICE_MESSAGES, fetchBacklog } from './folder-backlog.ts'
import { refreshFolder } from './folder-refresh.ts'
import { whereAllowed } from './folder-sync.ts'
import { type AccountConnection, openFolder, type SyncPorts } from './open-folder.ts'

/** What fills the first screen of a client. */
const FIRST_SCREEN_MESSAGES = 50

/** What a pass over an account came to. */
interface Pass {
  readonly view: AccountView
  /** Whether it opened any folder but the primary one. */
  readonly hasLookedElsewhere: boolean
}

/**
 * One pass over the whole account: the folder tree, then the newest messages of every folder, then the rest, with
 * a look at where mail arrives in between. A folder that has not changed costs nothing; one that the server refuses is
 * passed over.
 */
export async function passOverAccount(ctx: SyncPorts, given: AccountConnection): Promise<Pass> {
  const view = await viewAccount(ctx, given)
  const { connection, pairs, primary } = view
  await showFirstSync(ctx, connection, pairs)

  const incomplete: Folder[] = []
  let hasLookedElsewhere = false
  for (const { folder, mailbox } of pairs) {
    if (isUnchanged(folder, mailbox.status)) continue
    await whereAllowed(ctx, { connection, folder, primary }, async () => {
      const open = await openFolder(ctx, connection, folder)
      const isComplete = await fetchBacklog(ctx, open, FIRST_SCREEN_MESSAGES)
      await refreshFolder(ctx, open)
      if (!isComplete) incomplete.push(open.folder)
    })
    hasLookedElsewhere ||= folder.id !== primary?.id
  }
  for (const folder of incomplete) await fetchRest(ctx, view, folder)
  return { view, hasLookedElsewhere }
}

/** Completes the first sync of the folder, and looks at where mail arrives after every slice. */
async function fetchRest(
  ctx: SyncPorts,
  { connection, primary }: AccountView,
  folder: Folder,
): Promise<void> {
  for (;;) {
    let isLeft = false
    await whereAllowed(ctx, { connection, folder, primary }, async () => {
      const open = await openFolder(ctx, connection, folder)
      isLeft = !(await fetchBacklog(ctx, open, BACKLOG_SLICE_MESSAGES))
      await refreshFolder(ctx, open)
    })
    if (!isLeft) return
    if (primary && primary.id !== folder.id)
      await refreshFolder(ctx, await openFolder(ctx, connection, primary), 'recent')
  }
}

/**
 * Shows that a first sync runs and how much it has before it; nothing when all folders have had one that can have one.
 */
async function showFirstSync(
  ctx: SyncPorts,
  { lease, troubles }: AccountConnection,
  pairs: readonly FolderPair[],
): Promise<void> {
  const awaited = pairs.filter(({ folder }) => !troubles.isClosed(folder.id))
  if (awaited.every(({ folder }) => folder.firstSyncedAt !== null)) return
  const total = pairs.reduce((sum, { mailbox }) => sum + (mailbox.status?.exists ?? 0), 0)
  await setSyncState(ctx, lease, { state: 'syncing', total })
}
