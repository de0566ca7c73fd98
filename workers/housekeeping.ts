import { pruneEvents } from '../domain/events/prune.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

const EVERY_MS = 60 * 60_000

/** Forgets every hour what is kept for a time only, until `signal` aborts. */
export async function keepHouse(
  ctx: Needs<'store' | 'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await pruneEvents(ctx)
    } catch (error) {
      ctx.logger.error('Old events could not be forgotten.', error)
    }
    await ctx.clock.sleep(EVERY_MS, signal)
  }
}
