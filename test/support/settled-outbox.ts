import { and, eq, lte } from 'drizzle-orm'
import { outbox } from '../../db/schema/outbox.ts'
import { registerSidecar } from '../../domain/sidecars/register.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

type Entry = typeof outbox.$inferSelect
type Outcome = Partial<
  Pick<
    Entry,
    'status' | 'failure' | 'error' | 'smtpCode' | 'refused' | 'claimedBy' | 'claimedUntil'
  >
>

/** A claim as sidecars make it. */
const claimEnd = () => Date.now() + 29_000

/**
 * Does with immediate entries what a sidecar does, as soon as it is woken: claims each and settles it as `outcomeOf`
 * says. `handedOver` has the ids of those it has claimed, in order.
 */
export async function settledOutbox(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  outcomeOf: (entry: Entry) => Outcome | Promise<Outcome> = () => ({ status: 'sent' }),
) {
  await registerSidecar(ctx, { id: 'test', url: 'http://127.0.0.1:1' })
  const stop = new AbortController()
  const handedOver: number[] = []

  const settle = async (entry: Entry) => {
    const [claimed] = await ctx.store.commit((write) => [
      write
        .update(outbox)
        .set({ claimedBy: 'test', claimedUntil: claimEnd() })
        .where(and(eq(outbox.id, entry.id), eq(outbox.status, 'scheduled')))
        .returning({ id: outbox.id }),
    ])
    if (claimed.length === 0) return
    handedOver.push(entry.id)
    const outcome = await outcomeOf(entry)
    await ctx.store.commit((write) => [
      write
        .update(outbox)
        .set({ claimedBy: null, claimedUntil: null, ...outcome })
        .where(eq(outbox.id, entry.id)),
    ])
    ctx.wake.now('outcomes')
  }

  const run = async () => {
    while (!stop.signal.aborted) {
      const due = await ctx.store.read
        .select()
        .from(outbox)
        .where(and(eq(outbox.status, 'scheduled'), lte(outbox.nextAttemptAt, 0)))
      for (const entry of due) if (entry.claimedBy === null) await settle(entry)
      await ctx.wake.wait('outbox', stop.signal)
    }
  }
  const running = run()
  return {
    handedOver,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await running
    },
  }
}
