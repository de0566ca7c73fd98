import { pruneEvents } from '../domain/events/prune.ts'
import { sweepSources } from '../domain/sources/sweep.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

const EVERY_MS = 60 * 60_000

type Ports = Needs<'store' | 'sourceStore' | 'clock' | 'logger'>

/** Forgets every hour what is kept for a time only, and what nobody names any more, until `signal` aborts. */
export async function keepHouse(ctx: Ports, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await attempt(ctx, 'Old events could not be forgotten.', () => pruneEvents(ctx))
    await attempt(ctx, 'Sources that nothing names could not be removed.', () =>
      sweepSources(ctx, signal),
    )
    await ctx.clock.sleep(EVERY_MS, signal)
  }
}

async function attempt(
  { logger }: Ports,
  failure: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    logger.error(failure, error)
  }
}
