import { and, count, desc, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import type { MailboxStatus, SelectedMailbox } from '../../runtime/ports/mail-server.ts'
import type { Clock } from '../../runtime/ports/clock.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'
import { countLeftBehind, forgetLeftBehind } from './left-behind.ts'
import type { ConfirmedMessage } from './diff-folder.ts'
import { type Lease, underLease } from './lease.ts'
import type { Folder } from './folder.ts'

/** Few enough that the transaction stays under 20 ms. */
const ROWS_PER_TRANSACTION = 500
/** Rows that are read in one go: few enough that nothing else waits for it. */
const ROWS_PER_READ = 1_000

/** Whether the mailbox is just as the last sync left it. Only mod-sequences can tell (RFC 7162). */
export function isUnchanged(folder: Folder, status: MailboxStatus | undefined): boolean {
  return (
    status?.highestModseq !== undefined &&
    folder.syncedDownToUid === 0 &&
    folder.uidValidity === String(status.uidValidity) &&
    folder.uidNext === status.uidNext &&
    folder.highestModseq === String(status.highestModseq)
  )
}

/** The folder as the store has it now; undefined where there is none. */
export async function findFolder(
  { store }: Needs<'store'>,
  folderId: number,
): Promise<Folder | undefined> {
  const [folder] = await store.read.select().from(folders).where(eq(folders.id, folderId))
  return folder
}

/** The same; throws `not_found`. */
export async function getFolder(ctx: Needs<'store'>, folderId: number): Promise<Folder> {
  const folder = await findFolder(ctx, folderId)
  if (!folder) throw notFound('folder', folderId)
  return folder
}

/** Saves where a sync of the folder stands. */
export async function saveFolderState(
  ctx: Needs<'store'>,
  lease: Lease,
  { folder, state }: { folder: Pick<Folder, 'id'>; state: Partial<Omit<Folder, 'id'>> },
): Promise<void> {
  await underLease(ctx, lease, (tx) =>
    tx.update(folders).set(state).where(eq(folders.id, folder.id)),
  )
}

/**
 * Begins the first sync of a folder under the UIDVALIDITY of `selected`. Nothing is taken in yet: what arrives
 * from now on is new, what is there is fetched downwards from UIDNEXT. After a UIDVALIDITY change the old UIDs mean
 * nothing; the rows stay, without UID, to be given to the same messages under their new ones.
 */
export async function beginFolderSync(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  { folder, selected }: { folder: Folder; selected: SelectedMailbox },
): Promise<Folder> {
  const state = begunState(selected)
  await forgetUids(ctx, lease, folder.id)
  await forgetLeftBehind(ctx, lease, folder.id)
  await saveFolderState(ctx, lease, { folder, state })
  return { ...folder, ...state }
}

/** Where a folder stands when its first sync begins. */
export const begunState = ({
  uidValidity,
  uidNext,
  highestModseq,
  mailboxId,
}: SelectedMailbox) => ({
  uidValidity: String(uidValidity),
  uidNext,
  highestModseq: highestModseq === undefined ? null : String(highestModseq),
  mailboxId: mailboxId ?? null,
  syncedDownToUid: uidNext,
})

/** Cut off anywhere, it simply runs again: the folder keeps its old UIDVALIDITY until all UIDs are gone. */
async function forgetUids(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  folderId: number,
): Promise<void> {
  const messageIds = (await confirmedUids(ctx, folderId)).map(({ id }) => id)
  for (let start = 0; start < messageIds.length; start += ROWS_PER_TRANSACTION) {
    const ids = messageIds.slice(start, start + ROWS_PER_TRANSACTION)
    await underLease(ctx, lease, (tx) =>
      tx.update(messages).set({ uid: null, uidValidity: null }).where(inArray(messages.id, ids)),
    )
  }
}

/** What the server confirmed of the folder's messages with these UIDs. */
export async function confirmedMessages(
  { store, clock }: Needs<'store' | 'clock'>,
  folderId: number,
  uids: readonly number[],
): Promise<ConfirmedMessage[]> {
  const found: ConfirmedMessage[] = []
  for (let start = 0; start < uids.length; start += ROWS_PER_READ) {
    if (start > 0) await letOthersWork(clock)
    const rows = await store.read
      .select({
        id: messages.id,
        uid: messages.uid,
        serverFlags: messages.serverFlags,
        serverLabels: messages.serverLabels,
      })
      .from(messages)
      .where(
        and(
          eq(messages.serverFolderId, folderId),
          inArray(messages.uid, uids.slice(start, start + ROWS_PER_READ)),
        ),
      )
    found.push(...rows.flatMap(({ uid, ...row }) => (uid === null ? [] : [{ ...row, uid }])))
  }
  return found
}

/** Whether a message with one of these UIDs came by a move from here, and no sync has read its flags since. */
export async function hasMovedIn(
  { store }: Needs<'store'>,
  folderId: number,
  uids: readonly number[],
): Promise<boolean> {
  for (let start = 0; start < uids.length; start += ROWS_PER_READ) {
    const [row] = await store.read
      .select({ id: messages.id })
      .from(messages)
      .where(
        and(
          eq(messages.serverFolderId, folderId),
          isNull(messages.modseq),
          inArray(messages.uid, uids.slice(start, start + ROWS_PER_READ)),
        ),
      )
      .limit(1)
    if (row) return true
  }
  return false
}

/** All messages of the folder that have a UID, in the order of these. */
export async function confirmedUids(
  { store, clock }: Needs<'store' | 'clock'>,
  folderId: number,
): Promise<{ readonly id: number; readonly uid: number }[]> {
  const found: { id: number; uid: number }[] = []
  for (let after = 0; ; after = found.at(-1)?.uid ?? 0) {
    const rows = await store.read
      .select({ id: messages.id, uid: messages.uid })
      .from(messages)
      .where(and(eq(messages.serverFolderId, folderId), gt(messages.uid, after)))
      .orderBy(messages.uid)
      .limit(ROWS_PER_READ)
    for (const { id, uid } of rows) if (uid !== null) found.push({ id, uid })
    if (rows.length < ROWS_PER_READ) return found
    await letOthersWork(clock)
  }
}

/** Queries of an embedded database end before anything else can run. */
const letOthersWork = (clock: Clock) => clock.sleep(0)

/** How many messages of the folder's mailbox are known: those with a UID, and originals left behind by moves. */
export async function countKnown({ store }: Needs<'store'>, folderId: number): Promise<number> {
  const [row] = await store.read
    .select({ confirmed: count(messages.uid) })
    .from(messages)
    .where(eq(messages.serverFolderId, folderId))
  return (row?.confirmed ?? 0) + (await countLeftBehind(store.read, folderId))
}

/** The UID of the folder's `n`-th newest message; 1 where it has fewer. */
export async function nthNewestUid(
  { store }: Needs<'store'>,
  folderId: number,
  n: number,
): Promise<number> {
  const [row] = await store.read
    .select({ uid: messages.uid })
    .from(messages)
    .where(and(eq(messages.serverFolderId, folderId), isNotNull(messages.uid)))
    .orderBy(desc(messages.uid))
    .limit(1)
    .offset(n - 1)
  return row?.uid ?? 1
}

/** The messages that a rebuild after a UIDVALIDITY change did not find again. */
export const unconfirmedMessages = ({ store }: Needs<'store'>, folderId: number) =>
  store.read
    .select({ id: messages.id, uid: messages.uid })
    .from(messages)
    .where(and(eq(messages.serverFolderId, folderId), isNull(messages.uid)))
