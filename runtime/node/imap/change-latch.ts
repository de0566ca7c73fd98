import type { ImapFlow } from 'imapflow'

/** Remembers that the server reported a change in the open mailbox, or elsewhere, until somebody has looked. */
export function changeLatch(client: ImapFlow) {
  let changed = false
  let changedElsewhere = false
  let wakeUp: (() => void) | undefined
  const report = () => {
    changed = true
    wakeUp?.()
  }
  for (const event of ['exists', 'flags', 'highestModseq', 'close']) client.on(event, report)

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
      if (changed || changedElsewhere || signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      wakeUp = () => resolve()
      signal.addEventListener('abort', wakeUp, { once: true })
      // The next command ends the IDLE. A server that ends it by itself, with nothing to tell, is not asked again before.
      client.idle().catch(wakeUp)
      await promise
      signal.removeEventListener('abort', wakeUp)
    },
  }
}
