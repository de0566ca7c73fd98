import { and, eq, isNull, notInArray } from 'drizzle-orm'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { leaveNotice } from '../notices/leave.ts'
import { isClaimOver } from './claim.ts'
import { notSentNotice, partlyUnknownNotice } from './not-sent-notice.ts'
import { isOpen } from './open.ts'
import { removeAttachments } from './remove-attachments.ts'
import { unknownRest } from './settle-rest.ts'

const FAILURE = {
  failure: 'unknown',
  error: 'The outcome is unknown: the message was being handed over when its process ended.',
} as const

/**
 * Fails what a sidecar that is gone was handing over: it may have been sent, and is never sent again (contract section
 * 4), nor to those who waited for what others have. The owner hears of it. `underway` is what this sidecar is sending
 * itself. Returns the ids.
 */
export async function failAbandoned(
  { store, clock, wake }: Needs<'store' | 'clock' | 'wake'>,
  underway: readonly number[],
): Promise<readonly number[]> {
  const isAbandoned = and(
    isOpen,
    eq(outbox.status, 'sending'),
    isClaimOver,
    notInArray(outbox.id, [...underway]),
  )
  const found = await store.read.select({ id: outbox.id }).from(outbox).where(isAbandoned)
  if (found.length === 0) return []
  const ids = await store.durableTransaction(async (tx) => {
    const createdAt = clock.now().getTime()
    const failed = await tx
      .update(outbox)
      .set({
        status: 'failed',
        ...FAILURE,
        settledAt: createdAt,
        claimedBy: null,
        claimedUntil: null,
      })
      .where(and(isAbandoned, isNull(outbox.waiting)))
      .returning()
    for (const entry of failed) {
      await removeAttachments(tx, entry.id)
      await leaveNotice(tx, notSentNotice(entry, { ...FAILURE, createdAt }))
    }
    const partlySent = await tx.select().from(outbox).where(isAbandoned)
    for (const { waiting, ...entry } of partlySent) {
      const known = { ...entry, waiting: waiting ?? [] }
      await tx
        .update(outbox)
        .set({ ...unknownRest(known, createdAt), claimedBy: null, claimedUntil: null })
        .where(eq(outbox.id, entry.id))
      if (entry.copy !== 'wanted') await removeAttachments(tx, entry.id)
      await leaveNotice(tx, partlyUnknownNotice(known, createdAt))
    }
    return [...failed, ...partlySent].map(({ id }) => id)
  })
  wake.now('outcomes')
  wake.now('changes')
  return ids
}
