import type { ImapFlow } from 'imapflow'

/**
 * Dovecot gathers what comes for 500 ms after a change before it tells of that, and an IDLE that is begun meanwhile hears
 * of none of it until that long after the next change. So much later an arrival is followed by a look.
 */
const LOOK_AGAIN_AFTER_MS = 520

/**
 * Remembers that the server reported a change in the open mailbox, or elsewhere, until somebody has looked. `look` asks
 * it to report what it has not yet (NOOP).
 */
export function changeLatch(client: ImapFlow, look: () => Promise<unknown>) {
  let changed = false
  let changedElsewhere = false
  let arrivedAtMs: number | undefined
  let wakeUp: (() => void) | undefined
  const report = () => {
    changed = true
    wakeUp?.()
  }
  for (const event of ['exists', 'flags', 'highestModseq', 'close']) client.on(event, report)
  client.on('exists', () => {
    arrivedAtMs = performance.now()
  })

  /** Idles for `ms` at most; whether the time was up before there was anything else to do. */
  const idleFor = async (ms: number, signal: AbortSignal): Promise<boolean> => {
    if (changed || changedElsewhere || signal.aborted) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const wake = () => resolve(false)
    wakeUp = wake
    signal.addEventListener('abort', wake, { once: true })
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => resolve(true), ms)
    // The next command ends the IDLE. A server that ends it by itself, with nothing to tell, is not asked again before.
    client.idle().catch(wake)
    const isUp = await promise
    clearTimeout(timer)
    signal.removeEventListener('abort', wake)
    return isUp
  }

  return {
    report,
    reportElsewhere() {
      changedElsewhere = true
      wakeUp?.()
    },
    hasChangedElsewhere: () => changedElsewhere,
    resetElsewhere() {
      changedElsewhere = false
    },
    reset: () => {
      changed = false
    },
    async wait(signal: AbortSignal) {
      if (arrivedAtMs !== undefined) {
        const dueMs = arrivedAtMs + LOOK_AGAIN_AFTER_MS - performance.now()
        if (await idleFor(Math.max(0, dueMs), signal)) {
          arrivedAtMs = undefined
          await look()
        }
      }
      await idleFor(Number.POSITIVE_INFINITY, signal)
    },
  }
}
