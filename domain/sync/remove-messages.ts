import { inArray, notExists, and, eq } from 'drizzle-orm'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type Lease, underLease } from './lease.ts'

/** Few enough that the transaction stays under 20 ms. */
const ROWS_PER_TRANSACTION = 50

/** Removes messages, and with them contents and sources that no message shares any more. */
export async function removeMessages(
  ctx: Needs<'store' | 'sourceStore'>,
  lease: Lease,
  messageIds: readonly number[],
): Promise<void> {
  for (let start = 0; start < messageIds.length; start += ROWS_PER_TRANSACTION) {
    const orphaned = await underLease(ctx, lease, async (tx) => {
      const ids = messageIds.slice(start, start + ROWS_PER_TRANSACTION)
      const removed = await tx
        .delete(messages)
        .where(inArray(messages.id, [...ids]))
        .returning({ contentId: messages.contentId })
      if (removed.length === 0) return []
      const sharing = tx
        .select({ id: messages.id })
        .from(messages)
        .where(eq(messages.contentId, contents.id))
      return tx
        .delete(contents)
        .where(
          and(
            inArray(
              contents.id,
              removed.map(({ contentId }) => contentId),
            ),
            notExists(sharing),
          ),
        )
        .returning({ sourceHash: contents.sourceHash })
    })
    for (const { sourceHash } of orphaned) await ctx.sourceStore.delete(sourceHash)
  }
}
