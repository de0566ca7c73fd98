import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { ApiEnv } from '../kit/env.ts'

const answerOrigin = cors({
  origin: (origin) => origin,
  allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match'],
  exposeHeaders: [
    'Content-Disposition',
    'ETag',
    'Idempotency-Replayed',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
  ],
  maxAge: 600,
})

/** Opens the API to scripts of the configured origins; for any other page it stays closed. */
export const allowOrigins: MiddlewareHandler<ApiEnv> = (c, next) => {
  const { corsOrigins } = c.var.runtime.config
  if (corsOrigins.length === 0) return next()
  c.header('Vary', 'Origin', { append: true })
  const origin = c.req.header('Origin')
  return origin !== undefined && corsOrigins.includes(origin) ? answerOrigin(c, next) : next()
}
