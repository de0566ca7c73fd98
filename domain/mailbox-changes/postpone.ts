import { and, eq, inArray, sql } from 'drizzle-orm'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type Lease, underLease } from '../sync/lease.ts'

const FIRST_DELAY_MS = 1_000
const DELAY_MAX_MS = 5 * 60_000

interface Postponed {
  readonly ids: readonly number[]
  readonly reason: string
}

/** Tries changes again later, twice as late each time, five minutes at most. */
export async function postponeChanges(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  { ids, reason }: Postponed,
): Promise<void> {
  const nowMs = ctx.clock.now().getTime()
  const delayMs = sql`min(${DELAY_MAX_MS}, ${FIRST_DELAY_MS} << min(${mailboxChanges.attempts}, 20))`
  await underLease(ctx, lease, (tx) =>
    tx
      .update(mailboxChanges)
      .set({
        attempts: sql`${mailboxChanges.attempts} + 1`,
        nextAttemptAt: sql`${nowMs} + ${delayMs}`,
        lastError: reason,
      })
      .where(
        and(eq(mailboxChanges.accountId, lease.accountId), inArray(mailboxChanges.id, [...ids])),
      ),
  )
}
