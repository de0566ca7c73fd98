import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 5

/** Asks again until `check` stops throwing, then returns its value; throws its last error after `withinMs`. */
export async function eventually<T>(check: () => Promise<T>, withinMs = 10_000): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    await delay(POLL_MS)
  }
}
