const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How long after the end of one attempt the next is due: the first at once, seven in all (spec section 6). */
const DELAYS_MS: readonly number[] = [
  0,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  14 * HOUR_MS,
]

/** What became of a delivery after an attempt. */
export type Outcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'failed'; readonly nextAttemptAt: number }
  | { readonly kind: 'dead'; readonly isExhausted: boolean }

/** An attempt that ended. */
interface Ended {
  /** Those made before it. */
  readonly attemptsBefore: number
  /** Null when no reply came. */
  readonly statusCode: number | null
  /** Milliseconds UTC. */
  readonly endedAt: number
}

/**
 * Where a delivery goes from an attempt (spec section 3):
 *
 *     pending, failed --- 2xx ----------------------------> ok
 *     pending, failed --- 410 ----------------------------> dead, the endpoint stays as it is
 *     pending, failed --- anything else, attempts left ---> failed, due after the next delay
 *     failed ------------ anything else, it was the last -> dead, the endpoint is switched off
 *     any --------------- replay -------------------------> pending, all attempts left again
 */
export function outcomeOf({ attemptsBefore, statusCode, endedAt }: Ended): Outcome {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { kind: 'ok' }
  if (statusCode === 410) return { kind: 'dead', isExhausted: false }
  const delayMs = DELAYS_MS[attemptsBefore + 1]
  if (delayMs === undefined) return { kind: 'dead', isExhausted: true }
  return { kind: 'failed', nextAttemptAt: endedAt + delayMs }
}
