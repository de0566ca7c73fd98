import { and, eq, inArray } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { leftBehind } from '../../db/schema/left-behind.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type Lease, underLease } from './lease.ts'

/** The UIDs of originals that are still in the folder's mailbox although their messages were moved. */
export async function leftBehindUids(read: Reader, folderId: number): Promise<ReadonlySet<number>> {
  const rows = await read
    .select({ uid: leftBehind.uid })
    .from(leftBehind)
    .where(eq(leftBehind.folderId, folderId))
  return new Set(rows.map(({ uid }) => uid))
}

/** Forgets those of the folder's originals that are gone. */
export async function forgetLeftBehind(
  ctx: Needs<'store'>,
  lease: Lease,
  { folderId, isGone }: { folderId: number; isGone: (uid: number) => boolean },
): Promise<void> {
  const gone = [...(await leftBehindUids(ctx.store.read, folderId))].filter(isGone)
  if (gone.length === 0) return
  await underLease(ctx, lease, (tx) =>
    tx
      .delete(leftBehind)
      .where(and(eq(leftBehind.folderId, folderId), inArray(leftBehind.uid, gone))),
  )
}
