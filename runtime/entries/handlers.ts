import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { memoryWake } from '../memory/wake.ts'
import { listen } from '../node/http-listener.ts'
import { withPort } from '../node/config.ts'
import { openAdapters } from '../node/open-adapters.ts'
import { prepareDatabase } from '../node/prepare-database.ts'
import type { Config } from '../ports/config.ts'
import type { Logger } from '../ports/logger.ts'
import type { Runtime } from '../ports/runtime.ts'
import { relayedSourceReader } from '../sidecar/relayed-source-reader.ts'
import { followSidecars, relayedWake } from '../sidecar/relayed-wake.ts'
import { sidecarUrls } from './sidecar-urls.ts'

const DRAIN_MS = 5_000

type Fetch = (request: Request, env: object) => Response | Promise<Response>

/** The running handlers of one process. */
export interface Handlers {
  readonly runtime: Runtime
  /** Takes no more requests and lets those that run end. */
  drain(): Promise<void>
  /** Closes the store, after `drain`. */
  close(): Promise<void>
}

/**
 * Serves the API and the pages from a prepared data directory. The port is taken before anything else happens,
 * so that an address in use changes nothing; requests that come early wait until the rest is there.
 */
export async function startHandlers(given: Config, logger: Logger): Promise<Handlers> {
  const ready = Promise.withResolvers<Fetch>()
  const listener = await listen(given, async (request, env) => (await ready.promise)(request, env))
  const config = withPort(given, listener.port)
  await prepareDatabase(config.databaseUrl)

  const adapters = openAdapters(config, logger, { leavesCheckpoints: true })
  const { ports } = adapters
  const sidecars = { urls: sidecarUrls(ports), secret: adapters.sidecarSecret }
  const names = { logger, process: randomUUID() }
  const local = memoryWake()
  const draining = new AbortController()
  const runtime = {
    ...ports,
    wake: relayedWake(local, sidecars, names),
    stopping: draining.signal,
    sourceReader: relayedSourceReader(
      { reader: ports.sourceReader, intake: ports.sourceIntake },
      sidecars,
      names,
    ),
  }
  const stopping = new AbortController()
  const { clock } = ports
  const following = followSidecars(local, sidecars, { ...names, clock, signal: stopping.signal })

  ready.resolve(await site(() => runtime))
  logger.info('The handlers answer.', { url: config.baseUrl })
  process.stdout.write(`svc answers at ${config.baseUrl}\n`)
  return {
    runtime,
    async drain() {
      draining.abort()
      await listener.close(DRAIN_MS)
    },
    async close() {
      stopping.abort()
      await following
      await adapters.close()
    },
  }
}

async function site(runtimeOf: (c: Context) => Runtime): Promise<Fetch> {
  const { createApi } = await import('../../handlers/api.ts')
  const { webPages } = await import('../node/web-pages.ts')
  const api = createApi(runtimeOf)
  const pages = webPages()
  return (request, env) => {
    const isApi = /^\/api(\/|$)/.test(new URL(request.url).pathname)
    return isApi ? api.fetch(request, env) : pages.fetch(request, env)
  }
}
