import { setTimeout as delay } from 'node:timers/promises'

import type { HttpClient } from './http-client.ts'
import { listPath, messagePath } from './mailbox.ts'

const EVERY_MS = 50

/** How long requests took that somebody made at a steady 20 a second, in milliseconds. */
export interface GentleLoad {
  readonly listMs: readonly number[]
  readonly getMs: readonly number[]
}

/**
 * Lists 50 messages and reads message `id` in turns until `signal` aborts. Requests start on time whether or not
 * the last one is answered, so a server that stops for a moment shows in all that came meanwhile.
 */
export async function gentleLoad(
  api: HttpClient,
  id: number,
  signal: AbortSignal,
): Promise<GentleLoad> {
  const listMs: number[] = []
  const getMs: number[] = []
  const running: Promise<void>[] = []
  const ask = async (path: string, dueMs: number, into: number[]) => {
    await api.get(path)
    into.push(performance.now() - dueMs)
  }
  const startMs = performance.now()
  for (let n = 0; !signal.aborted; n += 1) {
    const dueMs = startMs + n * EVERY_MS
    await delay(Math.max(0, dueMs - performance.now()))
    const request =
      n % 2 === 0 ? ask(listPath(50), dueMs, listMs) : ask(messagePath(id), dueMs, getMs)
    request.catch(() => undefined)
    running.push(request)
  }
  await Promise.all(running)
  return { listMs, getMs }
}
