import type { MiddlewareHandler } from 'hono'
import { DomainError } from '../../domain/errors.ts'
import { licenceState } from '../../domain/licence/state.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { ApiEnv } from '../kit/env.ts'

/** Stops every request that the licence does not allow, before its token is looked at. */
export const requireLicence: MiddlewareHandler<ApiEnv> = (c, next) => {
  refuseUnlicensed(c.var.runtime)
  return next()
}

/** Throws `licence_required` or `licence_version` where the licence does not allow the API now. */
export function refuseUnlicensed({ config }: Needs<'config'>): void {
  const state = licenceState(config)
  if (state.kind === 'open') return
  throw new DomainError(state.code, state.message, { details: { url: state.url } })
}
