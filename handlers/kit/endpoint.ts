import { createRoute, type RouteConfig, type RouteHandler } from '@hono/zod-openapi'
import type { Scope } from '../../domain/scopes.ts'
import {
  idempotencyKeyParameter,
  idempotencyReplayedHeader,
  idempotent,
} from '../gate/idempotency.ts'
import { takeOutLongData } from '../gate/long-data.ts'
import { emptyBodyIsNone } from '../gate/optional-body.ts'
import { requireScope } from '../gate/scope.ts'
import type { ApiEnv } from './env.ts'
import { gateResponses, openResponses, scopeResponse } from './error-responses.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'

export interface Endpoint<R extends RouteConfig> {
  readonly route: R
  readonly handler: RouteHandler<R, ApiEnv>
}

export const endpoint = <R extends RouteConfig>(definition: Endpoint<R>): Endpoint<R> =>
  IDEMPOTENT in definition.route
    ? { ...definition, handler: carriedOutOnce(definition.handler) }
    : definition

/** What marks a route that takes an Idempotency-Key. */
const IDEMPOTENT = 'x-idempotent'

type NamedRoute<P extends string> = Omit<RouteConfig, 'path'> & {
  path: P
  operationId: string
  summary: string
  description: string
  tags: string[]
  /** Whether it takes an Idempotency-Key; its handler then gives `c.var.binding` to its verb. */
  idempotent?: boolean
}

/** A route behind the gate and `scope`: adds the guard, the security entry and the shared error responses. */
export const scoped = <const P extends string, const R extends NamedRoute<P>>(
  scope: Scope,
  route: R,
) =>
  createRoute({
    ...keyed(route),
    description: `${route.description} Needs the scope \`${scope}\`.`,
    'x-scope': scope,
    security: [{ token: [] }],
    middleware: [requireScope(scope), hasOptionalBody(route) ? emptyBodyIsNone : takeOutLongData],
    responses: withResponses(counted(keyed(route)), { ...gateResponses, ...scopeResponse }),
  })

const hasOptionalBody = ({ request }: NamedRoute<string>): boolean =>
  request?.body?.required === false

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
const counted = <R extends { readonly responses: Responses }>(route: R): R =>
  withSuccessHeaders(route, rateLimitHeaders)

/** The same route, which says that it takes an Idempotency-Key if it does. */
function keyed<R extends NamedRoute<string>>({ idempotent = false, ...route }: R): R {
  if (!idempotent) return route as unknown as R
  const parameters = [...(route.parameters ?? []), idempotencyKeyParameter]
  const marked = { ...route, [IDEMPOTENT]: true, parameters }
  return withSuccessHeaders(marked, idempotencyReplayedHeader) as unknown as R
}

function withSuccessHeaders<R extends { readonly responses: Responses }>(
  route: R,
  headers: object,
): R {
  const responses = Object.entries(route.responses).map(([status, response]) => [
    status,
    status.startsWith('2')
      ? { ...response, headers: { ...headersOf(response), ...headers } }
      : response,
  ])
  return { ...route, responses: Object.fromEntries(responses) }
}

const headersOf = (response: object) =>
  'headers' in response && typeof response.headers === 'object' ? response.headers : {}

/** The handler behind its key; it answers what the route says, for it answers what the handler has answered. */
const carriedOutOnce = <R extends RouteConfig>(handler: RouteHandler<R, ApiEnv>) =>
  idempotent(handler) as unknown as RouteHandler<R, ApiEnv>
