import { systemClock } from '../../runtime/node/clock.ts'
import type { Clock } from '../../runtime/ports/clock.ts'

/** A clock on which waiting takes a fraction of the time, so that a test sees what happens in hours. */
export const scaledClock = (timesFaster: number): Clock => ({
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms / timesFaster, signal),
})

/** A clock on which all goes faster, from now on. */
export function fastClock(timesFaster: number): Clock {
  const startMs = Date.now()
  return {
    ...scaledClock(timesFaster),
    now: () => new Date(startMs + timesFaster * (Date.now() - startMs)),
  }
}
