import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { malformedRequest, refuseMalformed } from './refuse-malformed.ts'

/** Longer than proxies keep theirs, so that they never ask on a connection that is just being closed. */
const KEEP_ALIVE_MS = 75_000

type Fetch = (request: Request, env: object) => Response | Promise<Response>

/** The address cannot be listened on; the message is for the person who started it. */
class UnusableAddress extends Error {
  override readonly name = 'UnusableAddress'
}

/** A listening HTTP server. */
export interface HttpListener {
  readonly port: number
  /** Accepts nothing more, lets running requests end within `graceMs`, then cuts them off. */
  close(graceMs: number): Promise<void>
}

/** Listens on `host` and `port` (0: a free one). Throws `UnusableAddress` when that cannot be. */
export async function listen(
  address: { readonly host: string; readonly port: number },
  fetch: Fetch,
): Promise<HttpListener> {
  const answer = getRequestListener(async (request, env) => fetch(request, env), { errorHandler })
  const server = createServer(
    { requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      response.once('close', () => server.listening || closeIdle(server))
      void answer(request, response)
    },
  )
  refuseMalformed(server)
  server.listen(address.port, address.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw unusable(address, error)
  }
  const { port } = server.address() as AddressInfo
  return { port, close: (graceMs) => close(server, graceMs) }
}

const errorHandler = (error: unknown): Response =>
  error instanceof RequestError ? malformedRequest() : internalError()

const internalError = () =>
  Response.json(
    { error: { code: 'internal', message: 'Something went wrong here.' } },
    { status: 500 },
  )

/** What has just been answered is idle a little later. */
const closeIdle = (server: Server) => setImmediate(() => server.closeIdleConnections())

async function close(server: Server, graceMs: number): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}

function unusable({ host, port }: { host: string; port: number }, error: unknown): UnusableAddress {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new UnusableAddress(`Port ${port} on ${host} is in use by another program.`)
  if (code === 'EACCES') return new UnusableAddress(`Port ${port} on ${host} takes more rights.`)
  const reason = error instanceof Error ? error.message : String(error)
  return new UnusableAddress(`Cannot listen on ${host} port ${port}: ${reason}.`)
}
