import { outbox } from '../../db/schema/outbox.ts'
import type { Unit } from '../unit-of-work.ts'
import type { ClaimedEntry } from './claim.ts'
import { isHeld } from './hold-claim.ts'

/** Writes what becomes of an entry and lets go of its claim; what it is then, or undefined where it is no longer held. */
export async function updateHeld(
  { tx }: Unit,
  entry: ClaimedEntry,
  columns: Partial<typeof outbox.$inferSelect>,
): Promise<Pick<typeof outbox.$inferSelect, 'copy'> | undefined> {
  const [updated] = await tx
    .update(outbox)
    .set({ ...columns, claimedBy: null, claimedUntil: null })
    .where(isHeld(entry))
    .returning({ copy: outbox.copy })
  return updated
}
