/**
 * Runs `task` again and again, each time after as many milliseconds as it returned, until it returns undefined or
 * `signal` aborts. Rests while nobody looks at the page.
 */
export async function repeat(
  task: () => Promise<number | undefined>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = await task()
    if (pauseMs === undefined) return
    await pause(pauseMs, signal)
    await untilVisible(signal)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return until(signal, (resolve) => {
    const timer = setTimeout(resolve, ms)
    return () => clearTimeout(timer)
  })
}

async function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return
  await until(signal, (resolve) => {
    const look = () => document.hidden || resolve()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  })
}

/** Waits until `start` resolves or `signal` aborts, then takes away what `start` left behind. */
async function until(
  signal: AbortSignal,
  start: (resolve: () => void) => () => void,
): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => resolve()
  signal.addEventListener('abort', done)
  const end = start(done)
  await promise
  end()
  signal.removeEventListener('abort', done)
}
