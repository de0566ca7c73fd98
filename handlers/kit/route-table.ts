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
  /** Answers what no route took: 405 with `Allow` for a known path, else 404. */
  readonly refuseUnknown: MiddlewareHandler<ApiEnv>
}

export function routeTable(endpoints: readonly Listed[], basePath: string): RouteTable {
  const rows = endpoints.map(({ route }) => ({
    pattern: patternOf(`${basePath}${route.path}`),
    methods: route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()],
    operation: route.operationId,
  }))
  const rowsOf = (c: Context) => rows.filter(({ pattern }) => pattern.test(c.req.path))

  return {
    operationOf: (c) => rowsOf(c).find(({ methods }) => methods.includes(c.req.method))?.operation,
    refuseUnknown: (c) => {
      const allowed = rowsOf(c).flatMap(({ methods }) => methods)
      if (allowed.length > 0) throw new MethodNotAllowed(allowed)
      throw new DomainError('not_found', 'There is nothing at this address.')
    },
  }
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
