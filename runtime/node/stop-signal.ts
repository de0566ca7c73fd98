/** How this process was asked to end. */
export interface Stopping {
  readonly signal: AbortSignal
  /** 130 after an interrupt from the keyboard, else 0. */
  exitCode(): number
}

/** What a parent says to a child that shall end. */
export const STOP_MESSAGE = 'stop'

/** How long an orderly end may take altogether. */
const DEADLINE_MS = 9_500

/**
 * Aborts at SIGTERM, SIGINT, when a parent says so, and when a parent is gone. From then on the process ends
 * within ten seconds, whatever hangs; a second interrupt ends it at once.
 */
export function stopSignal(): Stopping {
  const controller = new AbortController()
  let exitCode = 0
  const stop = () => {
    if (controller.signal.aborted) return
    setTimeout(() => process.exit(exitCode || 1), DEADLINE_MS).unref()
    controller.abort()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', () => {
    if (controller.signal.aborted && exitCode === 130) process.exit(130)
    exitCode = 130
    stop()
  })
  if (process.send) {
    process.on('disconnect', stop)
    process.on('message', (message) => message === STOP_MESSAGE && stop())
    // A parent may have gone while this process was starting.
    if (!process.connected) stop()
  }
  return { signal: controller.signal, exitCode: () => exitCode }
}

/** Resolves when `signal` aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  else signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}
