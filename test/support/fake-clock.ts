import type { Clock } from '../../runtime/ports/clock.ts'

/** A clock that stands still until the test moves it; to sleep for no time only lets others go first. */
export interface FakeClock extends Clock {
  advance(ms: number): void
}

interface Sleeper {
  readonly wakesAtMs: number
  readonly wakeUp: () => void
}

export function fakeClock(start = new Date('2026-03-01T12:00:00Z')): FakeClock {
  let nowMs = start.getTime()
  let sleepers: Sleeper[] = []
  return {
    now: () => new Date(nowMs),
    sleep(ms, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (ms <= 0) setImmediate(resolve)
      else sleepers.push({ wakesAtMs: nowMs + ms, wakeUp: resolve })
      signal?.addEventListener('abort', () => resolve(), { once: true })
      if (signal?.aborted) resolve()
      return promise
    },
    advance(ms) {
      nowMs += ms
      const due = sleepers.filter((sleeper) => sleeper.wakesAtMs <= nowMs)
      sleepers = sleepers.filter((sleeper) => sleeper.wakesAtMs > nowMs)
      for (const sleeper of due) sleeper.wakeUp()
    },
  }
}
