import type { Clock } from '../ports/clock.ts'

export const systemClock: Clock = {
  now: () => new Date(),
  // Most waits are called off, and an error for each, with the stack that led to it, would cost more than the wait.
  sleep(ms, signal) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
    return promise
  },
}
