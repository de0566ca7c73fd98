import { setTimeout as delay } from 'node:timers/promises'

const EVERY_MS = 50

/**
 * How long requests took that somebody made at a steady 20 a second until `signal` aborts, in milliseconds and in
 * their order. They start on time whether or not the last one is answered, so a server that stops for a moment
 * shows in all that came meanwhile.
 */
export async function steadyRequests(
  request: (n: number) => Promise<unknown>,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const running: Promise<number>[] = []
  const startMs = performance.now()
  const ask = async (n: number, dueMs: number) => {
    await request(n)
    return performance.now() - dueMs
  }
  for (let n = 0; !signal.aborted; n += 1) {
    const dueMs = startMs + n * EVERY_MS
    await delay(Math.max(0, dueMs - performance.now()))
    const asked = ask(n, dueMs)
    asked.catch(() => undefined)
    running.push(asked)
  }
  return Promise.all(running)
}
