/** What is left of a caller's budget after a request was counted. */
export interface RateDecision {
  readonly allowed: boolean
  /** Whole requests that are left. */
  readonly remaining: number
  /** Milliseconds until the next request would be allowed; 0 when one is left. */
  readonly retryAfterMs: number
}

/** A continuously refilling bucket per caller. Kept per process: several processes allow several budgets. */
export interface RateLimiter {
  /** Requests a minute; 0 means no limit. */
  readonly perMinute: number
  take(caller: string, nowMs: number): RateDecision
}
