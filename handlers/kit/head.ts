import type { MiddlewareHandler } from 'hono'

/** Ends the body of an answer to HEAD, which nobody will read: it may hold a file and room for as long as it lives. */
export const endBodyOfHead: MiddlewareHandler = async function endBodyOfHead(c, next) {
  await next()
  if (c.req.method === 'HEAD') await c.res.body?.cancel()
}
