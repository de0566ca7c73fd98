import type { MiddlewareHandler } from 'hono'
import type { ApiEnv } from '../kit/env.ts'

/** Takes a body without content for `{}`: many clients say that JSON comes, and then none does. */
export const emptyBodyIsNone: MiddlewareHandler<ApiEnv> = async function emptyBodyIsNone(c, next) {
  // The cache holds promises, whatever its type says.
  if ((await c.req.text()) === '') c.req.bodyCache.text = Promise.resolve('{}') as unknown as string
  return next()
}
