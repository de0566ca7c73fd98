import { and, eq, isNull } from 'drizzle-orm'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isClaimOver } from './claim.ts'

/**
 * Whether nobody is at an entry, and nobody has got it: it can still be taken back or moved. Whoever hands it over claims
 * it first.
 */
export const isUnclaimed = and(eq(outbox.status, 'scheduled'), isNull(outbox.waiting), isClaimOver)

/** Cancels an entry that nobody is at: whether it did. From then on it is never sent. */
export async function cancelUnclaimed(
  { store, clock }: Needs<'store' | 'clock'>,
  id: number,
): Promise<boolean> {
  const [rows] = await store.commit((write) => [
    write
      .update(outbox)
      .set({ status: 'cancelled', settledAt: clock.now().getTime() })
      .where(and(eq(outbox.id, id), isUnclaimed))
      .returning({ id: outbox.id }),
  ])
  return rows.length > 0
}
