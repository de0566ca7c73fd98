import type { Config } from '../../runtime/ports/config.ts'
import { createApi } from '../../handlers/api.ts'
import { createToken } from '../../domain/tokens/create.ts'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { memoryRateLimiter } from '../../runtime/memory/rate-limiter.ts'
import { memoryWake } from '../../runtime/memory/wake.ts'
import { aesSecretBox } from '../../runtime/node/secret-box.ts'
import type { Runtime } from '../../runtime/ports/runtime.ts'
import { cheapPasswordHasher } from './cheap-password-hasher.ts'
import { temporaryStore } from './database.ts'
import { factories } from './factories.ts'
import { fakeClock } from './fake-clock.ts'
import { inlineBodyRenderer } from './inline-body-renderer.ts'
import { inlineSourceReader } from './inline-source-reader.ts'
import { memorySourceStore } from './memory-source-store.ts'
import { noTranscripts } from './no-transcripts.ts'
import { readingHere } from './reading-here.ts'
import { recordingLogger } from './recording-logger.ts'
import { TEST_CONFIG } from './test-config.ts'

export interface HarnessOptions {
  /** The scopes of the token that `get` sends; all of them when not given. */
  readonly scopes?: readonly string[]
  readonly config?: Partial<Config>
  /** Whether the long reads of the store run on this thread, where their time can be measured. */
  readonly readsHere?: boolean
  /** Ports to use in place of the harness's own. */
  readonly ports?: Partial<Runtime>
}

const ALL_SCOPES = ['mail:read', 'mail:send', 'mail:modify', 'accounts:read', 'webhooks:manage']

/** The API over a fresh store, with a fake clock and a token. `await using`, or `close()` it. */
export async function harness(options: HarnessOptions = {}) {
  const database = await temporaryStore()
  const store = options.readsHere ? readingHere(database.store) : database.store
  const close = () => database.remove()
  const config = { ...TEST_CONFIG, ...options.config }
  const clock = fakeClock()
  const logger = recordingLogger()
  const passwordHasher = cheapPasswordHasher()
  const sourceStore = options.ports?.sourceStore ?? memorySourceStore()
  const runtime: Runtime = {
    store,
    sourceStore,
    clock,
    logger,
    metrics: memoryMetrics(),
    passwordHasher,
    config,
    stopping: new AbortController().signal,
    wake: memoryWake(),
    sourceReader: inlineSourceReader(sourceStore),
    rateLimiter: memoryRateLimiter(config.apiRateLimit),
    sourceIntake: { take: () => unused('source intake'), room: () => unused('source intake') },
    mailServer: { connect: () => unused('mail server') },
    transcripts: noTranscripts,
    submission: {
      verify: () => unused('submission'),
      render: () => unused('submission'),
      send: () => unused('submission'),
      close: () => unused('submission'),
    },
    bodyRenderer: inlineBodyRenderer,
    outbound: { send: () => unused('outbound') },
    dns: { mailExchangers: () => unused('dns'), services: () => unused('dns') },
    mailProbe: { probe: () => unused('mail probe') },
    secretBox: aesSecretBox(new Uint8Array(32)),
    ...options.ports,
  }
  const api = createApi(() => runtime)
  const { secret, token } = await createToken(runtime, {
    label: 'test',
    scopes: (options.scopes ?? ALL_SCOPES).join(' '),
  })
  const authorization = { Authorization: `Bearer ${secret}` }

  return {
    runtime,
    api,
    clock,
    logger,
    passwordHasher,
    sourceStore,
    secret,
    token,
    make: factories(store, sourceStore),
    /** A request with the harness's token. */
    get: async (path: string, headers: Readonly<Record<string, string>> = {}) =>
      api.request(path, { headers: { ...authorization, ...headers } }),
    /** The same with another method, and with `body` as JSON. */
    send: async (method: string, path: string, body?: unknown) =>
      api.request(path, {
        method,
        headers: { ...authorization, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

export type Harness = Awaited<ReturnType<typeof harness>>

const unused = (port: string): never => {
  throw new Error(`No test of the API uses the ${port}.`)
}
