import { and, eq, inArray, isNull } from 'drizzle-orm'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Tx } from '../../db/client.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { pendingChanges } from '../mailbox-changes/pending.ts'
import { type Lease, unitUnderLease } from './lease.ts'
import { forgetSources, removeOrphanedContents } from './orphaned-contents.ts'

/** Few enough that the transaction stays under 20 ms. */
const ROWS_PER_TRANSACTION = 50

/** Messages that are gone from a folder. */
export interface Removal {
  /** Null where nobody knows any more which it was. */
  readonly folderId: number | null
  /** With the UIDs under which they are gone. */
  readonly gone: readonly { readonly id: number; readonly uid: number | null }[]
  /** Whether it is news. */
  readonly isTold: boolean
}

/**
 * Removes messages, and with them contents and sources that no message shares any more; but for those that have been
 * moved here meanwhile, or that the server was asked to move.
 */
export async function removeMessages(
  ctx: Needs<'store' | 'sourceStore' | 'clock' | 'wake'>,
  lease: Lease,
  { folderId, gone, isTold }: Removal,
): Promise<void> {
  for (let start = 0; start < gone.length; start += ROWS_PER_TRANSACTION) {
    const some = gone.slice(start, start + ROWS_PER_TRANSACTION)
    const orphaned = await unitUnderLease(ctx, lease, async ({ tx, emit, hasSyncedOnce }) => {
      const ids = await stillGone(tx, folderId, some)
      if (isTold && hasSyncedOnce)
        await emit(ids.map((messageId) => ({ kind: 'message.deleted', messageId })))
      await tx.delete(mailboxChanges).where(inArray(mailboxChanges.messageId, ids))
      const removed = await tx
        .delete(messages)
        .where(inArray(messages.id, ids))
        .returning({ contentId: messages.contentId })
      return removeOrphanedContents(
        tx,
        removed.map(({ contentId }) => contentId),
      )
    })
    await forgetSources(ctx, orphaned)
  }
}

const isHeldIn = (folderId: Removal['folderId']) =>
  folderId === null ? isNull(messages.serverFolderId) : eq(messages.serverFolderId, folderId)

async function stillGone(
  tx: Tx,
  folderId: Removal['folderId'],
  gone: Removal['gone'],
): Promise<readonly number[]> {
  const uidOf = new Map(gone.map(({ id, uid }) => [id, uid]))
  const rows = await tx
    .select({ id: messages.id, uid: messages.uid })
    .from(messages)
    .where(and(isHeldIn(folderId), inArray(messages.id, [...uidOf.keys()])))
  const pending = await pendingChanges(tx, [...uidOf.keys()])
  return rows.flatMap(({ id, uid }) =>
    uid === uidOf.get(id) && !pending.get(id)?.moveStarted ? [id] : [],
  )
}
