import type { Wake, WakeTopic } from '../ports/wake.ts'

/** Wakes within one process. */
export function memoryWake(): Wake {
  const waiting = new Map<WakeTopic, Set<() => void>>()
  const latched = new Set<WakeTopic>()

  return {
    now(topic) {
      const waiters = waiting.get(topic)
      if (!waiters || waiters.size === 0) {
        latched.add(topic)
        return
      }
      waiting.delete(topic)
      for (const wakeUp of waiters) wakeUp()
    },
    wait(topic, signal) {
      if (latched.delete(topic) || signal.aborted) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiters = waiting.get(topic) ?? new Set()
      waiting.set(topic, waiters)
      const wakeUp = () => {
        waiters.delete(wakeUp)
        signal.removeEventListener('abort', wakeUp)
        resolve()
      }
      waiters.add(wakeUp)
      signal.addEventListener('abort', wakeUp, { once: true })
      return promise
    },
  }
}
