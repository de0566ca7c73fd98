import { setTimeout as delay } from 'node:timers/promises'

/** Asking takes from those that are waited for, and who has waited long can wait a little longer. */
const LATER_BY = 1 / 20
const SOONEST_MS = 5
const LATEST_MS = 50

/**
 * Asks again until `check` stops throwing, then returns its value; throws its last error after `withinMs`. It asks
 * again the later the longer it has been asking and the longer an answer took, but after `latestMs` at the latest: less
 * for what is there only for a moment, more for what takes long to ask.
 */
export async function eventually<T>(
  check: () => Promise<T>,
  withinMs = 30_000,
  latestMs = LATEST_MS,
): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    const askedAt = performance.now()
    try {
      return await check()
    } catch (error) {
      if (performance.now() > startedAt + withinMs) throw error
    }
    const now = performance.now()
    const laterMs = Math.max(SOONEST_MS, now - askedAt, (now - startedAt) * LATER_BY)
    await delay(Math.min(latestMs, laterMs))
  }
}
