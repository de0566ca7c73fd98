import { systemClock } from '../../runtime/node/clock.ts'
import type { Clock } from '../../runtime/ports/clock.ts'

/** What looks every second would do nothing but look, and all else would wait for it. */
const SHORTENED_TO_MS = 50

/**
 * A clock on which waiting takes a fraction of the time, so that a test sees what happens in hours; nothing becomes
 * shorter than a twentieth of a second by it.
 */
export const scaledClock = (timesFaster: number): Clock => ({
  now: () => systemClock.now(),
  sleep: (ms, signal) =>
    systemClock.sleep(Math.max(ms / timesFaster, Math.min(ms, SHORTENED_TO_MS)), signal),
})

/** A clock on which all goes faster, from now on. */
export function fastClock(timesFaster: number): Clock {
  const startMs = Date.now()
  return {
    ...scaledClock(timesFaster),
    now: () => new Date(startMs + timesFaster * (Date.now() - startMs)),
  }
}
