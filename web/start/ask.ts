import type { ClientResponse } from 'hono/client'
import { clockText } from './format.ts'

const PATIENCE_MS = 10_000
const LICENCE_PAUSE_MS = 30_000
const RATE_LIMIT_PAUSE_S = 10

/** Why there is no value, in words for the reader. */
export interface Failure {
  readonly ok: false
  readonly words: string
  /** What to wait before asking again; undefined when asking again cannot help. */
  readonly retryAfterMs?: number
  /** Whether the token was refused. */
  readonly isRefused?: true
  /** Where it can be fixed. */
  readonly url?: string
}

export type Answer<Value> = { readonly ok: true; readonly value: Value } | Failure

interface AnyResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: Headers
  readonly json: () => Promise<unknown>
}

type ValueOf<Response> = Response extends ClientResponse<infer Value, 200, 'json'> ? Value : never

/** What to send a request with: it ends with `signal`, and gives up on a service that does not answer. */
export const requestOptions = (signal: AbortSignal) => ({
  init: { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) },
})

/** The value that was asked for, or why there is none; `everyMs` is the pause after what passes by itself. */
export async function ask<Sent extends AnyResponse>(
  sent: Promise<Sent>,
  everyMs: number,
): Promise<Answer<ValueOf<Sent>>> {
  try {
    const response = await sent
    const body = await response.json()
    if (response.ok) return { ok: true, value: body as ValueOf<Sent> }
    return failure(response, errorOf(body), everyMs)
  } catch {
    // No connection, no answer in time, or an answer that is not of this service.
    const words = 'The service cannot be reached. Trying again.'
    return { ok: false, words, retryAfterMs: everyMs }
  }
}

interface ApiError {
  readonly message: string
  readonly details?: { readonly url?: string }
}

function errorOf(body: unknown): ApiError | undefined {
  return (body as { error?: ApiError } | null)?.error
}

function failure(
  { status, headers }: AnyResponse,
  error: ApiError | undefined,
  everyMs: number,
): Failure {
  const said = error?.message ?? `The service answered with the status ${status}.`
  switch (status) {
    case 401:
      return {
        ok: false,
        isRefused: true,
        words: 'The service does not know this token: mistyped, revoked or expired.',
      }
    case 402: {
      const url = error?.details?.url
      return { ok: false, words: said, retryAfterMs: LICENCE_PAUSE_MS, ...(url && { url }) }
    }
    case 403:
      return { ok: false, words: `${said} Create one with that scope and use it instead.` }
    case 429: {
      const seconds = Number(headers.get('Retry-After')) || RATE_LIMIT_PAUSE_S
      const at = clockText(new Date(Date.now() + seconds * 1_000))
      return { ok: false, words: `${said} Going on at ${at}.`, retryAfterMs: seconds * 1_000 }
    }
    default:
      return { ok: false, words: `${said} Trying again.`, retryAfterMs: everyMs }
  }
}
