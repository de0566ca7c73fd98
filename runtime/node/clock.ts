import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'

export const systemClock: Clock = {
  now: () => new Date(),
  async sleep(ms, signal) {
    await delay(ms, undefined, signal ? { signal } : {}).catch(() => undefined)
  },
}
