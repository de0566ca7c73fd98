import { inArray } from 'drizzle-orm'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type Lease, unitUnderLease } from './lease.ts'
import { forgetSources, removeOrphanedContents } from './orphaned-contents.ts'

/** Few enough that the transaction stays under 20 ms. */
const ROWS_PER_TRANSACTION = 50

/**
 * Removes messages, and with them contents and sources that no message shares any more. `isTold`: whether it is news
 * that they are gone.
 */
export async function removeMessages(
  ctx: Needs<'store' | 'sourceStore' | 'clock' | 'wake'>,
  lease: Lease,
  { messageIds, isTold }: { messageIds: readonly number[]; isTold: boolean },
): Promise<void> {
  for (let start = 0; start < messageIds.length; start += ROWS_PER_TRANSACTION) {
    const ids = messageIds.slice(start, start + ROWS_PER_TRANSACTION)
    const orphaned = await unitUnderLease(ctx, lease, async ({ tx, emit, hasSyncedOnce }) => {
      if (isTold && hasSyncedOnce)
        await emit(ids.map((messageId) => ({ kind: 'message.deleted', messageId })))
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
