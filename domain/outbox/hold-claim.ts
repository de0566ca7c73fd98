import { and, eq, inArray } from 'drizzle-orm'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type ClaimedEntry, claimEnd } from './claim.ts'
import { isOpen } from './open.ts'

/** Somebody else has the entry, or it was withdrawn or changed: whoever sees this sends nothing. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

/** The entry while its claim is what it was: not settled, and not taken over by another sidecar. */
export const isHeld = ({ id, claimedBy }: Pick<ClaimedEntry, 'id' | 'claimedBy'>) =>
  and(eq(outbox.id, id), eq(outbox.claimedBy, claimedBy), isOpen)

/** Holds the claims for another `CLAIM_MS`, those that nobody has taken over. */
export async function renewClaims(
  { store }: Needs<'store'>,
  sidecarId: string,
  ids: readonly number[],
): Promise<void> {
  await store.commit((write) => [
    write
      .update(outbox)
      .set({ claimedUntil: claimEnd })
      .where(and(inArray(outbox.id, [...ids]), eq(outbox.claimedBy, sidecarId), isOpen)),
  ])
}

/**
 * Writes down, durably, that the message is being handed over: from now on it may have been sent, and is not sent
 * again. Throws `ClaimLost` where it is no longer this sidecar's to send, or not at this time.
 */
export async function beginHandover({ store }: Needs<'store'>, entry: ClaimedEntry): Promise<void> {
  const [begun] = await store.commit((write) => [
    write
      .update(outbox)
      .set({ status: 'sending', claimedUntil: claimEnd })
      .where(and(isHeld(entry), eq(outbox.status, 'scheduled'), isForTheSameTime(entry)))
      .returning({ id: outbox.id }),
  ])
  if (begun.length === 0) throw new ClaimLost(`Outbox entry ${entry.id} is not ours to send.`)
}

/** Whoever puts off an entry whose claim has expired does not ask its holder. */
const isForTheSameTime = ({ sendAt, date }: ClaimedEntry) =>
  and(eq(outbox.sendAt, sendAt), eq(outbox.date, date))
