import type { RateDecision, RateLimiter } from '../ports/rate-limiter.ts'

interface Bucket {
  tokens: number
  filledAtMs: number
}

const UNLIMITED: RateDecision = {
  allowed: true,
  remaining: Number.MAX_SAFE_INTEGER,
  retryAfterMs: 0,
}

/** A token bucket per caller that holds `perMinute` requests and refills continuously. */
export function memoryRateLimiter(perMinute: number): RateLimiter {
  const buckets = new Map<string, Bucket>()
  const perMs = perMinute / 60_000

  const refilled = (caller: string, nowMs: number): Bucket => {
    const bucket = buckets.get(caller) ?? { tokens: perMinute, filledAtMs: nowMs }
    // A clock that was set back must not empty the bucket.
    const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs)
    bucket.tokens = Math.min(perMinute, bucket.tokens + elapsedMs * perMs)
    bucket.filledAtMs = nowMs
    buckets.set(caller, bucket)
    return bucket
  }

  return {
    perMinute,
    take(caller, nowMs) {
      if (perMinute === 0) return UNLIMITED
      const bucket = refilled(caller, nowMs)
      if (bucket.tokens < 1) {
        return {
          allowed: false,
          remaining: 0,
          retryAfterMs: Math.ceil((1 - bucket.tokens) / perMs),
        }
      }
      bucket.tokens -= 1
      const remaining = Math.floor(bucket.tokens)
      return {
        allowed: true,
        remaining,
        retryAfterMs: remaining > 0 ? 0 : Math.ceil((1 - bucket.tokens) / perMs),
      }
    },
  }
}
