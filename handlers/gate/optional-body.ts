import type { MiddlewareHandler } from 'hono'
import type { ApiEnv } from '../kit/env.ts'

/** Takes a body without content for `{}`: many clients say that JSON comes, and then none does. */
export const emptyBodyIsNone: MiddlewareHandler<ApiEnv> = async function emptyBodyIsNone(c, next) {
  const isSaidToCome = c.req.header('Content-Type') !== undefined
  // The cache holds promises, whatever its type says.
  if (isSaidToCome && (await c.req.text()) === '')
    c.req.bodyCache.text = Promise.resolve('{}') as unknown as string
  return next()
}
