import type { MiddlewareHandler } from 'hono'
import { DomainError } from '../../domain/errors.ts'
import { licenceState } from '../../domain/licence/state.ts'
import type { ApiEnv } from '../kit/env.ts'

/** Stops every request that the licence does not allow, before its token is looked at. */
export const requireLicence: MiddlewareHandler<ApiEnv> = (c, next) => {
  const state = licenceState(c.var.runtime.config)
  if (state.kind === 'open') return next()
  throw new DomainError(state.code, state.message, { details: { url: state.url } })
}
