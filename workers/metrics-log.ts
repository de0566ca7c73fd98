import type { Needs } from '../runtime/ports/runtime.ts'

const EVERY_MS = 10 * 60_000

/** Logs what was counted so far every ten minutes, until `signal` aborts. */
export async function logMetrics(
  { clock, logger, metrics }: Needs<'clock' | 'logger' | 'metrics'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await clock.sleep(EVERY_MS, signal)
    if (signal.aborted) return
    logger.debug('metrics', metrics.read())
  }
}
