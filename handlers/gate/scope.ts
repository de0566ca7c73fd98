import type { MiddlewareHandler } from 'hono'
import { DomainError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scopes.ts'
import type { ApiEnv } from '../kit/env.ts'

/** Lets only tokens with `scope` through. */
export const requireScope = (scope: Scope): MiddlewareHandler<ApiEnv> =>
  function requireScope(c, next) {
    refuseWithout(scope, c.var.caller.scopes)
    return next()
  }

/** Throws `insufficient_scope` where `scope` is not among them. */
export function refuseWithout(scope: Scope, scopes: readonly Scope[]): void {
  if (scopes.includes(scope)) return
  throw new DomainError('insufficient_scope', `This token lacks the scope ${scope}.`)
}
