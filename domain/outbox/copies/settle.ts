import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { leaveNotice } from '../../notices/leave.ts'
import { durablyUnderLease, type Lease, underLease } from '../../sync/lease.ts'
import { inWords } from '../not-sent-notice.ts'
import { removeAttachments } from '../remove-attachments.ts'
import type { WantedCopy } from './due.ts'

const FIRST_DELAY_MS = 2_000
const DELAY_MAX_MS = 10 * 60_000

/**
 * Counts an attempt before it is made, durably, and sets the next one: twice as late each time, ten minutes at most. So
 * nobody tries again while a server may still be at what its answer never came to.
 */
export async function startCopy(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  id: number,
): Promise<void> {
  const delayMs = sql`min(${DELAY_MAX_MS}, ${FIRST_DELAY_MS} << min(${outbox.copyAttempts}, 20))`
  await durablyUnderLease(ctx, lease, (tx) =>
    tx
      .update(outbox)
      .set({
        copyAttempts: sql`${outbox.copyAttempts} + 1`,
        nextCopyAt: sql`${ctx.clock.now().getTime()} + ${delayMs}`,
      })
      .where(isWanted(id)),
  )
}

/** The copy is in Sent, or `none` is to be filed here; what was attached is no longer needed for that. */
export async function settleCopy(
  ctx: Needs<'store'>,
  lease: Lease,
  { id, copy }: { readonly id: number; readonly copy: 'filed' | 'none' },
): Promise<void> {
  await underLease(ctx, lease, (tx) => settle(tx, id, copy))
}

/** No copy can be filed: the owner hears of it. `reason` is in the words of the server. */
export async function giveUpCopy(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  { copy, reason }: { readonly copy: WantedCopy; readonly reason: string },
): Promise<void> {
  const { id, accountId, message } = copy
  const text = `${inWords(message)} was sent, but the mail server refused its copy: ${reason}`
  const createdAt = ctx.clock.now().getTime()
  await underLease(ctx, lease, async (tx) => {
    await settle(tx, id, 'given_up')
    await leaveNotice(tx, { accountId, kind: 'change_refused', text, createdAt })
  })
}

const isWanted = (id: number) => and(eq(outbox.id, id), eq(outbox.copy, 'wanted'))

async function settle(tx: Tx, id: number, copy: 'filed' | 'given_up' | 'none'): Promise<void> {
  const [settled] = await tx
    .update(outbox)
    .set({ copy, nextCopyAt: null })
    .where(isWanted(id))
    .returning({ status: outbox.status })
  // Somebody may still wait for what others have.
  if (settled?.status === 'sent') await removeAttachments(tx, id)
}
