import { applyFlagChanges } from '../domain/sync/apply-flag-changes.ts'
import { diffFlags, diffVanished, type FlagsDiff } from '../domain/sync/diff-folder.ts'
import {
  confirmedMessages,
  confirmedUids,
  countKnown,
  hasMovedIn,
  nthNewestUid,
} from '../domain/sync/folder-state.ts'
import type { Folder } from '../domain/sync/folder.ts'
import { leftBehindUids, noteGone } from '../domain/sync/left-behind.ts'
import { removeMessages } from '../domain/sync/remove-messages.ts'
import type { FetchedFlags } from '../runtime/ports/mail-server.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import { BACKLOG_SLICE_MESSAGES, fetchBacklog } from './folder-backlog.ts'
import {
  type Counted,
  isPastFirstSync,
  holdingFolder,
  intakeOf,
  openFolder,
  type OpenFolder,
  saveState,
  type SyncPorts,
} from './open-folder.ts'
import { takeIn } from './take-in.ts'

/** Where a server keeps no mod-sequences: how many of the newest messages are looked at every time. */
const RECENT_MESSAGES = 2_000

/** How far back flags are compared where the server cannot tell which have changed. */
export type Depth = 'recent' | 'whole'

/**
 * Brings the open folder up to what the server has now: flags, new messages, vanished ones. Of a folder in its
 * first sync, only what has come since that began.
 */
export async function refreshFolder(
  ctx: SyncPorts,
  open: OpenFolder,
  depth: Depth = 'whole',
): Promise<void> {
  const { folder, lease, session, turn } = open
  session.markSeen()
  // While nobody changes flags from here: what was read before such a change must not be taken for news after it.
  const found = await turn(async () => {
    const changes = await reportedChanges(ctx, open, depth)
    const gone = await confirmedMessages(ctx, folder.id, changes.vanished)
    const external = changes.changed.length + gone.length
    const isTold = isToldOf(ctx, open, external)
    await applyFlagChanges(ctx, lease, {
      folder: holdingFolder(open),
      changes: changes.changed,
      isTold,
    })
    return { ...changes, gone, external, isTold }
  })
  const { reported, changed, newUids, gone, external, isTold } = found
  await takeIn(ctx, intakeOf(open), newUids)
  // Of a message that a move of ours brought here meanwhile, these flags were never compared.
  const areSomeMovedHere =
    open.selected.highestModseq !== undefined && (await hasMovedIn(ctx, folder.id, newUids))
  await removeMessages(ctx, lease, { folderId: folder.id, gone, isTold })
  const vanished = new Set(found.vanished)
  await noteGone(ctx, lease, { folderId: folder.id, isGone: (uid) => vanished.has(uid) })
  const corrected = await correctByUids(ctx, open, external)
  // While a message is still missing, the next connection must not take the folder for unchanged.
  const isWhole = !areSomeMovedHere && (await holdsAll(ctx, open))
  await saveState(ctx, open, isWhole ? reached(open, reported) : { uidNext: null })
  if (changed.length + newUids.length + gone.length + corrected > 0) ctx.wake.now('changes')
  if (areSomeMovedHere) await refreshFolder(ctx, open, depth)
}

const uidsOf = (messages: readonly { readonly uid: number }[]) => messages.map(({ uid }) => uid)

/**
 * Whether changes that others made are news: where the server tells them by mod-sequences, and unless they are so many
 * that nobody wants to hear of each (spec section 6, rules 2, 4 and 5).
 */
function isToldOf({ config }: SyncPorts, { selected, folder }: OpenFolder, count: number): boolean {
  const limit = config.externalBurstLimit
  const isBurst = limit > 0 && count > limit
  return selected.highestModseq !== undefined && isPastFirstSync(folder) && !isBurst
}

interface ReportedChanges extends FlagsDiff {
  readonly reported: readonly FetchedFlags[]
  /** UIDs. */
  readonly vanished: readonly number[]
}

/** What changed since the last refresh; flags of all, or of the newest, where the server keeps no mod-sequences. */
async function reportedChanges(
  ctx: SyncPorts,
  { session, selected, folder }: OpenFolder,
  depth: Depth,
): Promise<ReportedChanges> {
  const downTo = folder.syncedDownToUid ?? 0
  const since = selected.highestModseq === undefined ? null : folder.highestModseq
  const recent =
    selected.highestModseq === undefined && depth === 'recent'
      ? await nthNewestUid(ctx, folder.id, RECENT_MESSAGES)
      : 1
  const changes = await session.fetchChanges({
    ...(since !== null && { since: BigInt(since) }),
    fromUid: Math.max(recent, downTo, 1),
  })
  // `5:*` names the newest message even where its UID is below 5 (RFC 3501 section 6.4.8).
  const reported = changes.flags.filter(({ uid }) => uid >= downTo)
  const confirmed = await confirmedMessages(ctx, folder.id, uidsOf(reported))
  const { changed, newUids } = diffFlags(confirmed, reported)
  const left = await leftBehindUids(ctx.store.read, folder.id)
  return {
    reported,
    vanished: changes.vanished ?? [],
    changed,
    newUids: newUids.filter((uid) => !left.has(uid)),
  }
}

/** The folder's messages, counted. */
const counted = async (ctx: Needs<'store'>, { session, folder }: OpenFolder): Promise<Counted> => ({
  onServer: session.exists(),
  here: await countKnown(ctx, folder.id),
})

/** Whether the folder holds as many messages as its mailbox; one in its first sync cannot tell. */
async function holdsAll(ctx: Needs<'store'>, open: OpenFolder): Promise<boolean> {
  if (open.folder.syncedDownToUid !== 0) return true
  const { onServer, here } = await counted(ctx, open)
  return onServer === here
}

/**
 * Where the counts differ, the UIDs tell which messages are gone and which a server once left out of an answer.
 * Returns how many there were of both. `external` changes were found before in the same sync.
 */
async function correctByUids(ctx: SyncPorts, open: OpenFolder, external: number): Promise<number> {
  if ((await holdsAll(ctx, open)) || (await isUndelivered(ctx, open))) return 0
  await followMoves(ctx, open)
  // While nothing is moved from here: what came between the two would be taken for gone.
  const { serverUids, confirmed } = await open.turn(async () => ({
    serverUids: await open.session.searchUids(),
    confirmed: await confirmedUids(ctx, open.folder.id),
  }))
  const vanished = diffVanished(confirmed, serverUids)
  const isTold = isToldOf(ctx, open, external + vanished.length)
  const { folder, lease } = open
  await removeMessages(ctx, lease, { folderId: folder.id, gone: vanished, isTold })
  const onServer = new Set(serverUids)
  await noteGone(ctx, lease, { folderId: folder.id, isGone: (uid) => !onServer.has(uid) })
  const left = await leftBehindUids(ctx.store.read, folder.id)
  const known = new Set([...uidsOf(confirmed), ...left])
  const missing = serverUids.filter((uid) => !known.has(uid))
  await takeIn(ctx, intakeOf(open), missing)
  const counts = await counted(ctx, open)
  // Where fewer are left than were stored, some have just gone: the next look sees to these.
  if (counts.here < counts.onServer) open.undelivered.set(open.folder.id, counts)
  else open.undelivered.delete(open.folder.id)
  return vanished.length + missing.length
}

/** Whether the counts differ just as they did when the server would not give what it had. */
async function isUndelivered(ctx: Needs<'store'>, open: OpenFolder): Promise<boolean> {
  const before = open.undelivered.get(open.folder.id)
  const { onServer, here } = await counted(ctx, open)
  return before?.onServer === onServer && before.here === here
}

/** Gmail has each message once: what is gone here may have moved, and keeps its id if it is found there first. */
async function followMoves(ctx: SyncPorts, open: OpenFolder): Promise<void> {
  const others = open.gmail?.holding.filter(({ id }) => id !== open.folder.id) ?? []
  for (const folder of others) {
    const other = await openFolder(ctx, open, folder)
    while (!(await fetchBacklog(ctx, other, BACKLOG_SLICE_MESSAGES)));
    const { newUids } = await reportedChanges(ctx, other, 'recent')
    await takeIn(ctx, intakeOf(other), newUids)
  }
  if (others.length > 0) await open.session.select(open.folder.path)
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
  const uidNext = reported.reduce(
    (next, { uid }) => Math.max(next, uid + 1),
    Math.max(selected.uidNext, folder.uidNext ?? 0),
  )
  // Of what a first sync has still to fetch, changes before that are not known yet.
  if (folder.syncedDownToUid !== 0) return { uidNext }
  return {
    uidNext,
    highestModseq: selected.highestModseq === undefined ? null : String(highestModseq),
  }
}
