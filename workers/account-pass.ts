import { setSyncState } from '../domain/accounts/set-sync-state.ts'
import { isUnchanged } from '../domain/sync/folder-state.ts'
import type { Lease } from '../domain/sync/lease.ts'
import {
  diffFolders,
  type Folder,
  type FolderPair,
  reconcileFolders,
} from '../domain/sync/reconcile-folders.ts'
import type { Mailbox } from '../runtime/ports/mail-server.ts'
import { BACKLOG_SLICE_MESSAGES, fetchBacklog } from './folder-backlog.ts'
import { refreshFolder } from './folder-refresh.ts'
import { whereAllowed } from './folder-sync.ts'
import { type AccountConnection, openFolder, type SyncPorts } from './open-folder.ts'

/** What fills the first screen of a client. */
const FIRST_SCREEN_MESSAGES = 50

/**
 * One pass over the whole account: the folder tree, then the newest messages of every folder, then the rest, with
 * a look at the inbox in between. A folder that has not changed costs nothing; one that the server refuses is
 * passed over. Returns the folders that can hold mail.
 */
export async function passOverAccount(
  ctx: SyncPorts,
  connection: AccountConnection,
): Promise<readonly Folder[]> {
  const pairs = await reconcileFolders(ctx, connection.lease, await listMailboxes(ctx, connection))
  await showFirstSync(ctx, connection.lease, pairs)

  const incomplete: Folder[] = []
  for (const { folder, mailbox } of pairs) {
    if (isUnchanged(folder, mailbox.status)) continue
    await whereAllowed(ctx, folder, async () => {
      const open = await openFolder(ctx, connection, folder)
      const isComplete = await fetchBacklog(ctx, open, FIRST_SCREEN_MESSAGES)
      await refreshFolder(ctx, open)
      if (!isComplete) incomplete.push(open.folder)
    })
  }

  const folders = pairs.map(({ folder }) => folder)
  const inbox = folders.find(({ specialUse }) => specialUse === 'inbox')
  for (const folder of incomplete) {
    await whereAllowed(ctx, folder, async () => {
      let rest: Folder | undefined = folder
      while (rest) {
        rest = await fetchSlice(ctx, connection, rest)
        if (rest && inbox && inbox.id !== rest.id)
          await refreshFolder(ctx, await openFolder(ctx, connection, inbox), 'recent')
      }
    })
  }
  return folders
}

/** The account's mailboxes; where some may have new names, with the ids that tell (RFC 8474). */
async function listMailboxes(
  ctx: SyncPorts,
  { session, lease }: AccountConnection,
): Promise<readonly Mailbox[]> {
  const listed = await session.listMailboxes()
  const { fresh, gone } = await diffFolders(ctx, lease.accountId, listed)
  if (gone.every(({ mailboxId }) => mailboxId === null)) return listed
  const ids = new Map<string, string>()
  for (const { path, selectable } of fresh) {
    const { mailboxId } = selectable ? await session.select(path) : {}
    if (mailboxId !== undefined) ids.set(path, mailboxId)
  }
  return listed.map((mailbox) => {
    const mailboxId = ids.get(mailbox.path)
    return mailboxId === undefined ? mailbox : { ...mailbox, mailboxId }
  })
}

/** The folder as it stands after another slice of its first sync; undefined when that is complete. */
async function fetchSlice(
  ctx: SyncPorts,
  connection: AccountConnection,
  folder: Folder,
): Promise<Folder | undefined> {
  const open = await openFolder(ctx, connection, folder)
  const isComplete = await fetchBacklog(ctx, open, BACKLOG_SLICE_MESSAGES)
  await refreshFolder(ctx, open)
  return isComplete ? undefined : open.folder
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
