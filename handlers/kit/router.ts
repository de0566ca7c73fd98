import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { openApiConfig, tokenSecurity } from '../../openapi.config.ts'
import type { Runtime } from '../../runtime/ports/runtime.ts'
import { limitBody } from '../gate/body-limit.ts'
import { allowOrigins } from '../gate/cors.ts'
import { requireLicence } from '../gate/licence.ts'
import { limitRate } from '../gate/rate-limit.ts'
import { requireToken } from '../gate/token.ts'
import type { ApiEnv } from './env.ts'
import { errorHandler } from './errors.ts'
import { endBodyOfHead } from './head.ts'
import { routeTable } from './route-table.ts'
import { refuseInvalid } from './validation-hook.ts'

type Endpoints = readonly { readonly route: RouteConfig; readonly handler: unknown }[]

const BASE_PATH = '/api'

/**
 * An app that answers `/api`: the `open` endpoints to everyone, the `gated` ones behind licence, token and rate
 * limit. What neither takes is refused with the envelope.
 */
export function createRouter<const Open extends Endpoints, const Gated extends Endpoints>(
  runtimeOf: (c: Context) => Runtime,
  endpoints: { readonly open: Open; readonly gated: Gated },
) {
  const table = routeTable([...endpoints.open, ...endpoints.gated], BASE_PATH)
  const app = new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid }).basePath(BASE_PATH)
  app.openAPIRegistry.registerComponent('securitySchemes', 'token', tokenSecurity)

  app.onError(errorHandler(table.operationOf))
  app.use(endBodyOfHead)
  app.use(supply(runtimeOf, () => app.getOpenAPI31Document(openApiConfig)))
  app.use(allowOrigins)
  const open = app.openapiRoutes(endpoints.open)
  for (const { route } of endpoints.open) app.all(route.path, table.refuseUnknown)
  app.use('/v1/*', requireLicence, requireToken(), limitRate, limitBody, table.refuseOtherMethods)
  const api = open.openapiRoutes(endpoints.gated)
  app.all('/*', table.refuseUnknown)
  return api
}

/** Puts on every request what its handler needs, and on every answer what keeps mail from leaking. */
function supply(
  runtimeOf: (c: Context) => Runtime,
  describe: ApiEnv['Variables']['document'],
): MiddlewareHandler<ApiEnv> {
  let document: ReturnType<typeof describe> | undefined
  const documentOnce = () => (document ??= describe())
  return function supply(c, next) {
    c.set('runtime', runtimeOf(c))
    c.set('document', documentOnce)
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Cache-Control', 'no-store')
    c.header('Referrer-Policy', 'no-referrer')
    return next()
  }
}
