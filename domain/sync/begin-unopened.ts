import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { folders } from '../../db/schema/folders.ts'
import { leftBehind } from '../../db/schema/left-behind.ts'
import { messages } from '../../db/schema/messages.ts'
import type { SelectedMailbox } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { begunState } from './folder-state.ts'
import type { Folder } from './folder.ts'
import { type Lease, underLease } from './lease.ts'

/**
 * The folder, if what is opened now has the UIDs that are stored of it; the first sync of one that no sync has opened
 * yet begins here, and the sync goes on with it. Undefined where the UIDs are others: then it is for the sync alone,
 * which may be at it, to give its messages their new ones.
 */
export async function withSameUids(
  ctx: Needs<'store'>,
  lease: Lease,
  { folderId, selected }: { readonly folderId: number; readonly selected: SelectedMailbox },
): Promise<Folder | undefined> {
  return underLease(ctx, lease, async (tx) => {
    const [folder] = await tx.select().from(folders).where(eq(folders.id, folderId))
    if (folder?.uidValidity === String(selected.uidValidity)) return folder
    if (!folder || folder.uidValidity !== null || (await hasUids(tx, folderId))) return undefined
    const [begun] = await tx
      .update(folders)
      .set(begunState(selected))
      .where(and(eq(folders.id, folderId), isNull(folders.uidValidity)))
      .returning()
    return begun
  })
}

/** Whether anything is stored under UIDs of another time. */
async function hasUids(tx: Tx, folderId: number): Promise<boolean> {
  const held = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.serverFolderId, folderId), isNotNull(messages.uid)))
    .limit(1)
  const left = await tx.select().from(leftBehind).where(eq(leftBehind.folderId, folderId)).limit(1)
  return held.length + left.length > 0
}
