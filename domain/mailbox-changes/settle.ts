import { and, eq, inArray, isNull } from 'drizzle-orm'
import { folders } from '../../db/schema/folders.ts'
import { leftBehind } from '../../db/schema/left-behind.ts'
import {
  type FolderChange,
  mailboxChanges,
  type Original,
} from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { durablyUnderLease, type Lease, underLease } from '../sync/lease.ts'

/** Forgets changes that have been made. */
export async function settleChanges(
  ctx: Needs<'store'>,
  lease: Lease,
  ids: readonly number[],
): Promise<void> {
  await underLease(ctx, lease, (tx) =>
    tx.delete(mailboxChanges).where(inArray(mailboxChanges.id, [...ids])),
  )
}

/** Remembers, before the server is asked, that these messages may soon be elsewhere. */
export async function startMoves(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  ids: readonly number[],
): Promise<void> {
  const startedAt = ctx.clock.now().getTime()
  await durablyUnderLease(ctx, lease, (tx) =>
    tx
      .update(mailboxChanges)
      .set({ startedAt })
      .where(and(inArray(mailboxChanges.id, [...ids]), isNull(mailboxChanges.startedAt))),
  )
}

interface Expunged {
  readonly changes: readonly { readonly id: number; readonly original: Original }[]
  /** False where the server can only mark them: then they stay left behind. */
  readonly isGone: boolean
}

/** Remembers that originals have been expunged. */
export async function settleExpunge(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  { changes, isGone }: Expunged,
): Promise<void> {
  const goneAt = ctx.clock.now().getTime()
  await underLease(ctx, lease, async (tx) => {
    for (const { original } of isGone ? changes : [])
      await tx
        .update(leftBehind)
        .set({ goneAt })
        .where(and(eq(leftBehind.folderId, original.folderId), eq(leftBehind.uid, original.uid)))
    await tx.delete(mailboxChanges).where(
      inArray(
        mailboxChanges.id,
        changes.map(({ id }) => id),
      ),
    )
  })
}

/**
 * Remembers that a folder made here is on the server, at the path that it got there. Where a sync has found it under
 * that path before, what is meant for ours goes there.
 */
export async function settleCreation(
  ctx: Needs<'store'>,
  lease: Lease,
  { id, folderId, path }: { readonly id: number; readonly folderId: number; readonly path: string },
): Promise<void> {
  await underLease(ctx, lease, async (tx) => {
    await tx.delete(mailboxChanges).where(eq(mailboxChanges.id, id))
    const [found] = await tx
      .select({ id: folders.id })
      .from(folders)
      .where(and(eq(folders.accountId, lease.accountId), eq(folders.path, path)))
    if (!found || found.id === folderId)
      return tx.update(folders).set({ path }).where(eq(folders.id, folderId))
    await tx.update(messages).set({ folderId: found.id }).where(eq(messages.folderId, folderId))
    const change: FolderChange = { folderId: found.id }
    const isMoveToOurs = and(
      eq(mailboxChanges.kind, 'move'),
      eq(mailboxChanges.change, { folderId }),
    )
    await tx.update(mailboxChanges).set({ change }).where(isMoveToOurs)
    return tx.delete(folders).where(eq(folders.id, folderId))
  })
}

/** Whether the folder waits to be made on the server. */
export async function isCreationPending(
  { store }: Needs<'store'>,
  folderId: number,
): Promise<boolean> {
  const [pending] = await store.read
    .select({ id: mailboxChanges.id })
    .from(mailboxChanges)
    .where(and(eq(mailboxChanges.kind, 'create_folder'), eq(mailboxChanges.change, { folderId })))
  return pending !== undefined
}
