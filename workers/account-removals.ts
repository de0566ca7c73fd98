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
      await finishRemovals(ctx, signal)
    } catch (error) {
      ctx.logger.error('Removals that were cut short could not be looked for.', error)
    }
    await ctx.clock.sleep(EVERY_MS, signal)
  }
}
