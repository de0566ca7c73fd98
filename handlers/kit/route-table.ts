import type { RouteConfig } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { DomainError } from '../../domain/errors.ts'
import type { ApiEnv } from './env.ts'
import { MethodNotAllowed } from './errors.ts'

type Listed = { readonly route: RouteConfig }

/** What is known of the routes beside what the router knows: their names, and which methods a path answers. */
export interface RouteTable {
  /** The operation that a request means, also when it never got there. */
  readonly operationOf: (c: Context) => string | undefined
  /** Refuses, with 405 and `Allow`, a method that a known path does not answer; the rest passes. */
  readonly refuseOtherMethods: MiddlewareHandler<ApiEnv>
  /** Answers what no route took: 405 with `Allow` for a known path, else 404. */
  readonly refuseUnknown: MiddlewareHandler<ApiEnv>
}

export function routeTable(endpoints: readonly Listed[], basePath: string): RouteTable {
  const rows = endpoints.map(({ route }) => ({
    path: `${basePath}${route.path}`,
    pattern: patternOf(`${basePath}${route.path}`),
    methods: route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()],
    operation: route.operationId,
  }))
  /** A path without parameters is meant before one that could take it for a parameter. */
  const rowsOf = (c: Context) => {
    const literal = rows.filter(({ path }) => path === c.req.path)
    return literal.length > 0 ? literal : rows.filter(({ pattern }) => pattern.test(c.req.path))
  }
  const requireMethod = (c: Context) => {
    const allowed = rowsOf(c).flatMap(({ methods }) => methods)
    if (allowed.length > 0 && !allowed.includes(c.req.method)) throw new MethodNotAllowed(allowed)
  }

  return {
    operationOf: (c) => rowsOf(c).find(({ methods }) => methods.includes(c.req.method))?.operation,
    refuseOtherMethods: (c, next) => {
      requireMethod(c)
      return next()
    },
    refuseUnknown: (c) => {
      requireMethod(c)
      throw new DomainError('not_found', 'There is nothing at this address.')
    },
  }
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
