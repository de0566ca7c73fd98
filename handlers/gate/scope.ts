import type { MiddlewareHandler } from 'hono'
import { DomainError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scopes.ts'
import type { ApiEnv } from '../kit/env.ts'

/** Lets only tokens with `scope` through. */
export const requireScope = (scope: Scope): MiddlewareHandler<ApiEnv> =>
  function requireScope(c, next) {
    if (c.var.caller.scopes.includes(scope)) return next()
    throw new DomainError('insufficient_scope', `This token lacks the scope ${scope}.`)
  }
