import { and, count, eq, inArray, isNull, lt } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { leftBehind } from '../../db/schema/left-behind.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type Lease, underLease } from './lease.ts'

/** Longer than anything that was fetched of a mailbox waits to be stored. */
const GONE_KEPT_MS = 60 * 60_000

/** The UIDs of originals that no sync shows although their folder's mailbox has them, or had them until lately. */
export async function leftBehindUids(read: Reader, folderId: number): Promise<ReadonlySet<number>> {
  const rows = await read
    .select({ uid: leftBehind.uid })
    .from(leftBehind)
    .where(eq(leftBehind.folderId, folderId))
  return new Set(rows.map(({ uid }) => uid))
}

const isStillThere = (folderId: number) =>
  and(eq(leftBehind.folderId, folderId), isNull(leftBehind.goneAt))

/** How many of the folder's originals its mailbox still has. */
export async function countLeftBehind(read: Reader, folderId: number): Promise<number> {
  const [row] = await read.select({ count: count() }).from(leftBehind).where(isStillThere(folderId))
  return row?.count ?? 0
}

/** Remembers which of the folder's originals are gone. */
export async function noteGone(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  { folderId, isGone }: { readonly folderId: number; readonly isGone: (uid: number) => boolean },
): Promise<void> {
  const rows = await ctx.store.read
    .select({ uid: leftBehind.uid })
    .from(leftBehind)
    .where(isStillThere(folderId))
  const gone = rows.map(({ uid }) => uid).filter(isGone)
  if (gone.length === 0) return
  const goneAt = ctx.clock.now().getTime()
  await underLease(ctx, lease, (tx) =>
    tx
      .update(leftBehind)
      .set({ goneAt })
      .where(and(isStillThere(folderId), inArray(leftBehind.uid, gone))),
  )
}

/** Forgets the folder's originals: under another UIDVALIDITY their UIDs may be those of other messages. */
export async function forgetLeftBehind(
  ctx: Needs<'store'>,
  lease: Lease,
  folderId: number,
): Promise<void> {
  await underLease(ctx, lease, (tx) =>
    tx.delete(leftBehind).where(eq(leftBehind.folderId, folderId)),
  )
}

/** Forgets originals of all folders that are long gone. */
export async function pruneLeftBehind({ store, clock }: Needs<'store' | 'clock'>): Promise<void> {
  const before = clock.now().getTime() - GONE_KEPT_MS
  await store.transaction((tx) => tx.delete(leftBehind).where(lt(leftBehind.goneAt, before)))
}
