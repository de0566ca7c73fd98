import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { invalidRequest } from '../../domain/errors.ts'
import type { ApiEnv } from '../kit/env.ts'

const MAX_MIB = 40

const limited = bodyLimit({
  maxSize: MAX_MIB * 1024 * 1024,
  onError: () => {
    throw invalidRequest(`A request body has at most ${MAX_MIB} MiB.`)
  },
})

/** Refuses bodies over the cap. Reads ignore a body, so theirs is not even looked at. */
export const limitBody: MiddlewareHandler<ApiEnv> = (c, next) =>
  c.req.method === 'GET' || c.req.method === 'HEAD' ? next() : limited(c, next)
