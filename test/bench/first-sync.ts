import { startBareServer } from './bare-server.ts'
import { memoryOfBoth, ofBoth, pidsOf } from './both-processes.ts'
import type { OfBoth } from './both-processes.ts'
import { gentleLoad } from './gentle-load.ts'
import type { GentleLoad } from './gentle-load.ts'
import type { HttpClient } from './http-client.ts'
import { messagePath, newest, theAccount } from './mailbox.ts'
import { processorMsOf, until } from './processes.ts'
import { watched, watchOf } from './process-watch.ts'
import type { ProcessWatch } from './process-watch.ts'
import { rest } from './rest.ts'
import type { Server } from './service.ts'
import { untilSynced } from './until-synced.ts'

const FIRST_SCREEN_MESSAGES = 50
const WITHIN_MS = 120_000
const LOAD_AT_REST_MS = 10_000

/** A service on an empty data directory, started `watched`, and what is about to happen to it. */
export interface FirstSyncBench {
  readonly service: Server
  readonly api: HttpClient
  readonly directory: string
  readonly messages: number
  /** Runs `svc account add` to its end. */
  addAccount(): Promise<unknown>
}

/** What was seen of a first sync. Times are milliseconds since `svc account add` was started. */
export interface FirstSync {
  readonly messages: number
  /** When the account was there, and when the command had ended. */
  readonly storedMs: number
  readonly addedMs: number
  /** When the newest 50 could be listed and the newest of them read. */
  readonly screenMs: number
  readonly syncedMs: number
  readonly load: GentleLoad
  readonly delays: OfBoth<ProcessWatch['delayMs']>
  /** Of a process that did nothing meanwhile. */
  readonly delayOfIdler: ProcessWatch['delayMs']
  readonly processorMs: OfBoth<number>
  readonly peakBytes: OfBoth<number>
  /** After a minute of rest. */
  readonly restBytes: OfBoth<number>
  readonly restMemory: OfBoth<ProcessWatch['memory']>
  readonly loadAtRest: GentleLoad
}

/** Adds the account and watches its first sync over the API, the first screen before all else; then the rest after it. */
export async function measureFirstSync(bench: FirstSyncBench): Promise<FirstSync> {
  const { api, service, directory, messages } = bench
  const idler = await startBareServer(directory, watched(directory))
  try {
    const startMs = performance.now()
    const adding = bench.addAccount().then(() => performance.now())
    // Together, so that an account that is refused ends the wait for its mail.
    const [storedMs, screen, addedMs] = await Promise.all([
      untilStored(api),
      firstScreen(api),
      adding,
    ])

    const done = new AbortController()
    const underLoad = gentleLoad(api, screen.id, done.signal)
    const [syncedMs, load] = await Promise.all([
      untilSynced(api, { accounts: 1, messages }).finally(() => done.abort()),
      underLoad,
    ])
    const pids = await pidsOf(service)
    const [handlers, sidecar, idle] = await Promise.all(
      [pids.handlers, pids.sidecar, idler.pid].map((pid) => watchOf(pid, directory)),
    )
    if (!handlers || !sidecar || !idle) throw new Error('Not all processes told of themselves.')
    const soFar = {
      processorMs: ofBoth(pids, processorMsOf),
      peakBytes: await memoryOfBoth(service, 'peakBytes'),
    }
    await rest()
    const restMemory = ofBoth(pids, (pid) => watchOf(pid, directory))
    return {
      messages,
      storedMs: storedMs - startMs,
      addedMs: addedMs - startMs,
      screenMs: screen.atMs - startMs,
      syncedMs: syncedMs - startMs,
      load,
      delays: { handlers: handlers.delayMs, sidecar: sidecar.delayMs },
      delayOfIdler: idle.delayMs,
      ...soFar,
      restBytes: await memoryOfBoth(service),
      restMemory: {
        handlers: (await restMemory.handlers).memory,
        sidecar: (await restMemory.sidecar).memory,
      },
      loadAtRest: await gentleLoad(api, screen.id, AbortSignal.timeout(LOAD_AT_REST_MS)),
    }
  } finally {
    await idler.stop()
  }
}

/** When the account was there, whose sync can begin from then on. */
export const untilStored = (api: HttpClient) =>
  until('the account', WITHIN_MS, async () => (await theAccount(api)) && performance.now())

/** When the newest messages can be listed and the newest of them read. */
const firstScreen = (api: HttpClient) =>
  until('the first screen', WITHIN_MS, async () => {
    const messages = await newest(api, FIRST_SCREEN_MESSAGES)
    const [first] = messages
    if (messages.length < FIRST_SCREEN_MESSAGES || first === undefined) return undefined
    const detail = await api.json<{ body?: { text?: string } }>(messagePath(first.id))
    if (!detail.body?.text) throw new Error('The first message has no text.')
    return { id: first.id, atMs: performance.now() }
  })
