import { finishRemovals, type RemovalPorts } from '../domain/accounts/finish-removal.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

const EVERY_MS = 5_000

/** Finishes removals that were cut short by the end of their process, until `signal` aborts. */
export async function finishAbandonedRemovals(
  ctx: RemovalPorts & Needs<'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await finishRemovals(ctx)
    } catch (error) {
      ctx.logger.error('The removal of an account could not be finished.', error)
    }
    await ctx.clock.sleep(EVERY_MS, signal)
  }
}
