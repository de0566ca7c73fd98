import { and, eq } from 'drizzle-orm'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { sendTime } from '../submission/send-time.ts'
import { tooLate } from './cancel.ts'
import type { OutboxEntry } from './entry.ts'
import { getOutboxEntry } from './get.ts'
import { isUnclaimed } from './unclaimed.ts'

/**
 * Sends an entry at another time; one that is past means at once, and earlier tries are forgotten. Throws `not_found`,
 * and `invalid_request` once it is too late for that, or where somebody waits for its outcome.
 */
export async function rescheduleOutboxEntry(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  input: { readonly id: number; readonly sendAt: Date },
): Promise<OutboxEntry> {
  const sendAt = sendTime(ctx, 'send_at', input.sendAt)
  await getOutboxEntry(ctx, input.id)
  const date = Math.max(sendAt, ctx.clock.now().getTime())
  const [moved] = await ctx.store.commit((write) => [
    write
      .update(outbox)
      .set({ sendAt, date, nextAttemptAt: sendAt, attempts: 0, error: null, smtpCode: null })
      .where(and(eq(outbox.id, input.id), eq(outbox.isImmediate, false), isUnclaimed))
      .returning({ id: outbox.id }),
  ])
  const entry = await getOutboxEntry(ctx, input.id)
  if (moved.length === 0) throw tooLate(entry, 'put off')
  ctx.wake.now('outbox')
  ctx.wake.now('changes')
  return entry
}
