import { applyFlagChanges } from '../domain/sync/apply-flag-changes.ts'
import { diffFlags, diffVanished } from '../domain/sync/diff-folder.ts'
import {
  beginFolderSync,
  confirmedMessages,
  countConfirmed,
  getFolder,
  saveFolderState,
  unconfirmedMessageIds,
} from '../domain/sync/folder-state.ts'
import type { Lease } from '../domain/sync/lease.ts'
import type { Folder } from '../domain/sync/reconcile-folders.ts'
import { removeMessages } from '../domain/sync/remove-messages.ts'
import { MailServerError } from '../runtime/ports/mail-server-error.ts'
import type { FetchedFlags, MailSession, SelectedMailbox } from '../runtime/ports/mail-server.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import { type Intake, takeIn } from './take-in.ts'

/** How many messages of a first sync are fetched before what is new is looked at again. */
export const BACKLOG_SLICE_MESSAGES = 1_000

/** What syncing needs. */
export type SyncPorts = Needs<
  'store' | 'sourceStore' | 'sourceIntake' | 'clock' | 'wake' | 'logger'
>

/** A connection to the account's server, and what the first syncs of its folders have still to fetch. */
export interface AccountConnection {
  readonly session: MailSession
  readonly lease: Lease
  /** By folder id: UIDs not fetched yet, oldest first. */
  readonly backlogs: Map<number, readonly number[]>
}

/** A folder whose mailbox is open on the connection. */
export interface OpenFolder extends AccountConnection {
  readonly selected: SelectedMailbox
  folder: Folder
}

/** Opens the folder's mailbox and begins its first sync where it had none under this UIDVALIDITY. */
export async function openFolder(
  ctx: SyncPorts,
  connection: AccountConnection,
  { id, path }: Pick<Folder, 'id' | 'path'>,
): Promise<OpenFolder> {
  const selected = await connection.session.select(path)
  const folder = await getFolder(ctx, id)
  if (folder.uidValidity === String(selected.uidValidity))
    return { ...connection, selected, folder }
  connection.backlogs.delete(id)
  return {
    ...connection,
    selected,
    folder: await beginFolderSync(ctx, connection.lease, { folder, selected }),
  }
}

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
  await takeIn(ctx, intake(open), uids)
  const left = backlog.slice(0, -limit)
  backlogs.set(folder.id, left)
  if (left.length > 0) {
    await save(ctx, open, { syncedDownToUid: uids[0] ?? downTo })
  } else {
    await removeMessages(ctx, lease, await unconfirmedMessageIds(ctx, folder.id))
    await save(ctx, open, {
      syncedDownToUid: 0,
      firstSyncedAt: folder.firstSyncedAt ?? ctx.clock.now().getTime(),
    })
  }
  ctx.wake.now('changes')
  return left.length === 0
}

/**
 * Brings the open folder up to what the server has now: flags, new messages, vanished ones. Of a folder in its
 * first sync, only what has come since that began.
 */
export async function refreshFolder(ctx: SyncPorts, open: OpenFolder): Promise<void> {
  open.session.markSeen()
  const reported = await reportedFlags(open)
  const confirmed = await confirmedMessages(
    ctx,
    open.folder.id,
    reported.map(({ uid }) => uid),
  )
  const { changed, newUids } = diffFlags(confirmed, reported)
  await applyFlagChanges(ctx, open.lease, changed)
  await takeIn(ctx, intake(open), newUids)
  const corrected = await correctByUids(ctx, open)
  // While a message is still missing, the next connection must not take the folder for unchanged.
  await save(ctx, open, (await isWhole(ctx, open)) ? reached(open, reported) : { uidNext: null })
  if (changed.length + newUids.length + corrected > 0) ctx.wake.now('changes')
}

/** Opens the folder and brings it all the way up to its mailbox: what a first sync left, then what is new. */
export async function syncFolder(
  ctx: SyncPorts,
  connection: AccountConnection,
  folder: Pick<Folder, 'id' | 'path'>,
): Promise<OpenFolder> {
  const open = await openFolder(ctx, connection, folder)
  while (!(await fetchBacklog(ctx, open, BACKLOG_SLICE_MESSAGES))) await refreshFolder(ctx, open)
  await refreshFolder(ctx, open)
  return open
}

/**
 * Does `work` on a folder; one that the server refuses is passed over, and the log says so. Throws what the server
 * said of the inbox.
 */
export async function whereAllowed(
  ctx: SyncPorts,
  folder: Folder,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isRefused = error instanceof MailServerError && error.kind === 'refused'
    // Without its inbox an account is not in sync, and the next attempt has to wait longer.
    if (!isRefused || folder.specialUse === 'inbox') throw error
    ctx.logger.warn('The server refused a folder.', { folderId: folder.id, answer: error.message })
  }
}

/** Flags that changed since the last refresh, or all of them where the server keeps no mod-sequences. */
async function reportedFlags({
  session,
  selected,
  folder,
}: OpenFolder): Promise<readonly FetchedFlags[]> {
  const since = selected.highestModseq === undefined ? null : folder.highestModseq
  const reported = await session.fetchFlags(since === null ? undefined : BigInt(since))
  return reported.filter(({ uid }) => uid >= (folder.syncedDownToUid ?? 0))
}

/** Whether the folder holds as many messages as its mailbox; one in its first sync cannot tell. */
const isWhole = async (ctx: SyncPorts, { session, folder }: OpenFolder): Promise<boolean> =>
  folder.syncedDownToUid !== 0 || (await countConfirmed(ctx, folder.id)) === session.exists()

/**
 * Where the counts differ, the UIDs tell which messages are gone and which a server once left out of an answer.
 * Returns how many there were of both.
 */
async function correctByUids(ctx: SyncPorts, open: OpenFolder): Promise<number> {
  if (await isWhole(ctx, open)) return 0
  const serverUids = await open.session.searchUids()
  const confirmed = await confirmedMessages(ctx, open.folder.id)
  const vanished = diffVanished(confirmed, serverUids)
  await removeMessages(ctx, open.lease, vanished)
  const known = new Set(confirmed.map(({ uid }) => uid))
  const missing = serverUids.filter((uid) => !known.has(uid))
  await takeIn(ctx, intake(open), missing)
  return vanished.length + missing.length
}

/** Everything up to these numbers has been seen: the mailbox was selected before its flags were fetched. */
function reached(
  { selected, folder }: OpenFolder,
  reported: readonly FetchedFlags[],
): Partial<Folder> {
  const modseqs = reported.map(({ modseq }) => modseq ?? 0n)
  const highestModseq = [
    selected.highestModseq ?? 0n,
    BigInt(folder.highestModseq ?? 0),
    ...modseqs,
  ].reduce((a, b) => (a > b ? a : b))
  return {
    uidNext: reported.reduce(
      (next, { uid }) => Math.max(next, uid + 1),
      Math.max(selected.uidNext, folder.uidNext ?? 0),
    ),
    highestModseq: selected.highestModseq === undefined ? null : String(highestModseq),
  }
}

const intake = ({ session, lease, folder, selected }: OpenFolder): Intake => ({
  session,
  lease,
  folder: {
    id: folder.id,
    isInbox: folder.specialUse === 'inbox',
    uidValidity: selected.uidValidity,
  },
})

async function save(ctx: SyncPorts, open: OpenFolder, state: Partial<Folder>): Promise<void> {
  const after = { ...open.folder, ...state }
  const isSame = Object.entries(state).every(
    ([column, value]) => open.folder[column as keyof Folder] === value,
  )
  if (!isSame) await saveFolderState(ctx, open.lease, { folder: open.folder, state })
  open.folder = after
}
