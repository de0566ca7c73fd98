import type { MiddlewareHandler } from 'hono'
import { DomainError } from '../../domain/errors.ts'
import type { RateDecision } from '../../runtime/ports/rate-limiter.ts'
import type { ApiEnv } from '../kit/env.ts'

const WINDOW_SECONDS = 60

/**
 * Counts a request against its token's budget and says on every answer what is left of it, in the fields of
 * draft-ietf-httpapi-ratelimit-headers-10.
 */
export const limitRate: MiddlewareHandler<ApiEnv> = (c, next) => {
  const { rateLimiter, clock } = c.var.runtime
  const { perMinute } = rateLimiter
  if (perMinute === 0) return next()
  const decision = rateLimiter.take(String(c.var.caller.tokenId), clock.now().getTime())
  const resetSeconds = secondsUntilReset(decision, perMinute)
  c.header('RateLimit-Policy', `"default";q=${perMinute};w=${WINDOW_SECONDS}`)
  c.header('RateLimit', `"default";r=${decision.remaining};t=${resetSeconds}`)
  if (decision.allowed) return next()
  c.header('Retry-After', String(resetSeconds))
  throw new DomainError('rate_limited', `Over the limit of ${perMinute} requests a minute.`)
}

/** Until the whole limit is there again; for a refused request, until the next one is allowed. */
const secondsUntilReset = ({ allowed, remaining, retryAfterMs }: RateDecision, limit: number) =>
  allowed
    ? Math.ceil(((limit - remaining) * WINDOW_SECONDS) / limit)
    : Math.max(1, Math.ceil(retryAfterMs / 1_000))
