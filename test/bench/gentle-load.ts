import type { HttpClient } from './http-client.ts'
import { listPath, messagePath } from './mailbox.ts'
import { steadyRequests } from './steady-requests.ts'

/** How long requests took that somebody made at a steady 20 a second, in milliseconds. */
export interface GentleLoad {
  readonly listMs: readonly number[]
  readonly getMs: readonly number[]
}

/** Lists 50 messages and reads message `id` in turns until `signal` aborts. */
export async function gentleLoad(
  api: HttpClient,
  id: number,
  signal: AbortSignal,
): Promise<GentleLoad> {
  const isList = (n: number) => n % 2 === 0
  const tookMs = await steadyRequests(
    (n) => api.get(isList(n) ? listPath(50) : messagePath(id)),
    signal,
  )
  return {
    listMs: tookMs.filter((_, n) => isList(n)),
    getMs: tookMs.filter((_, n) => !isList(n)),
  }
}
