import { inArray } from 'drizzle-orm'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type Lease, underLease } from './lease.ts'
import { forgetSources, removeOrphanedContents } from './orphaned-contents.ts'

/** Few enough that the transaction stays under 20 ms. */
const ROWS_PER_TRANSACTION = 50

/** Removes messages, and with them contents and sources that no message shares any more. */
export async function removeMessages(
  ctx: Needs<'store' | 'sourceStore'>,
  lease: Lease,
  messageIds: readonly number[],
): Promise<void> {
  for (let start = 0; start < messageIds.length; start += ROWS_PER_TRANSACTION) {
    const ids = messageIds.slice(start, start + ROWS_PER_TRANSACTION)
    const orphaned = await underLease(ctx, lease, async (tx) => {
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
