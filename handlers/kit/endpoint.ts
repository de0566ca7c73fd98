import { createRoute, type RouteConfig, type RouteHandler } from '@hono/zod-openapi'
import type { Scope } from '../../domain/scopes.ts'
import { requireScope } from '../gate/scope.ts'
import type { ApiEnv } from './env.ts'
import { gateResponses, openResponses, scopeResponse } from './error-responses.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'

export interface Endpoint<R extends RouteConfig> {
  readonly route: R
  readonly handler: RouteHandler<R, ApiEnv>
}

export const endpoint = <R extends RouteConfig>(definition: Endpoint<R>): Endpoint<R> => definition

type NamedRoute<P extends string> = Omit<RouteConfig, 'path'> & {
  path: P
  operationId: string
  summary: string
  description: string
  tags: string[]
}

/** A route behind the gate and `scope`: adds the guard, the security entry and the shared error responses. */
export const scoped = <const P extends string, const R extends NamedRoute<P>>(
  scope: Scope,
  route: R,
) =>
  createRoute({
    ...route,
    description: `${route.description} Needs the scope \`${scope}\`.`,
    'x-scope': scope,
    security: [{ token: [] }],
    middleware: requireScope(scope),
    responses: withResponses(counted(route), { ...gateResponses, ...scopeResponse }),
  })

/** A route behind the gate that any valid token may call. */
export const authenticated = <const P extends string, const R extends NamedRoute<P>>(route: R) =>
  createRoute({
    ...route,
    security: [{ token: [] }],
    responses: withResponses(counted(route), gateResponses),
  })

/** A route outside the gate: no token, no licence. */
export const open = <const P extends string, const R extends NamedRoute<P>>(route: R) =>
  createRoute({
    ...route,
    security: [],
    responses: withResponses(route, openResponses),
  })

type Responses = RouteConfig['responses']

/** The route's own responses and the shared ones; the type keeps what each status answers. */
const withResponses = <R extends { readonly responses: Responses }, Shared extends Responses>(
  route: R,
  shared: Shared,
) => ({ ...route.responses, ...shared }) as R['responses'] & Shared

/** The same route, whose successes also say what is left of the rate limit. */
function counted<R extends { readonly responses: Responses }>(route: R): R {
  const responses = Object.entries(route.responses).map(([status, response]) => [
    status,
    status.startsWith('2') ? { ...response, headers: withRateLimit(response) } : response,
  ])
  return { ...route, responses: Object.fromEntries(responses) }
}

const withRateLimit = (response: object) => ({
  ...('headers' in response && typeof response.headers === 'object' ? response.headers : {}),
  ...rateLimitHeaders,
})
