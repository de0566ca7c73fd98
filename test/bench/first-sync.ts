import { setTimeout as delay } from 'node:timers/promises'

import { eventLoopDelayOf } from './event-loop-delay.ts'
import { gentleLoad } from './gentle-load.ts'
import type { HttpClient } from './http-client.ts'
import { messagePath, newest, theAccount } from './mailbox.ts'
import { memoryOf, processorMsOf, until } from './processes.ts'
import { sidecarOf } from './service.ts'
import type { Server } from './service.ts'
import { percentile } from './statistics.ts'
import { mebibytes, ms, number, seconds } from './table.ts'
import type { Row } from './table.ts'
import type { WireFloor } from './wire-floor.ts'

const FIRST_SCREEN_MESSAGES = 50
const FIRST_SCREEN_BAR_MS = 2_000
const FIRST_SCREEN_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 250
const SYNC_MS_PER_MESSAGE_MAX = 50

/** A service on an empty data directory, and what is about to happen to it. */
export interface FirstSyncBench {
  readonly service: Server
  readonly api: HttpClient
  readonly directory: string
  readonly messages: number
  readonly floor: WireFloor
  /** Runs `svc account add` to its end. */
  addAccount(): Promise<unknown>
}

/** Adds the account and watches its first sync over the API, the first screen before all else. */
export async function measureFirstSync(bench: FirstSyncBench): Promise<readonly Row[]> {
  const { api, service } = bench
  const startMs = performance.now()
  const adding = bench.addAccount().then(() => performance.now())
  // Together, so that an account that is refused ends the wait for its mail.
  const [screen, addedMs] = await Promise.all([firstScreen(api), adding])

  const done = new AbortController()
  const load = gentleLoad(api, screen.id, done.signal)
  const [syncedMs, figures] = await Promise.all([synced(bench).finally(() => done.abort()), load])
  const sidecarPid = await sidecarOf(service)
  const delays = await Promise.all(
    [service.pid, sidecarPid].map((pid) => eventLoopDelayOf(pid, bench.directory)),
  )
  const times = { startMs, addedMs, screenMs: screen.atMs, syncedMs }
  return [
    ...timeRows(bench, times),
    requestRow('GET /v1/messages?limit=50', figures.listMs),
    requestRow('GET /v1/messages/{id}', figures.getMs),
    {
      work: 'event loop delay during it, p99 / longest: handlers, sidecar',
      figure: delays.map(({ p99Ms, maxMs }) => `${ms(p99Ms)} / ${ms(maxMs)}`).join(', '),
    },
    {
      work: 'processor time until then: handlers, sidecar',
      figure: `${seconds(processorMsOf(service.pid))}, ${seconds(processorMsOf(sidecarPid))}`,
    },
    {
      work: 'peak memory until then: handlers, sidecar',
      figure: [service.pid, sidecarPid].map((pid) => mebibytes(memoryOf(pid).peakBytes)).join(', '),
    },
  ]
}

/** When the newest messages can be listed and the newest of them read. */
function firstScreen(api: HttpClient): Promise<{ readonly id: number; readonly atMs: number }> {
  return until('the first screen', FIRST_SCREEN_WITHIN_MS, async () => {
    const messages = await newest(api, FIRST_SCREEN_MESSAGES)
    const [first] = messages
    if (messages.length < FIRST_SCREEN_MESSAGES || first === undefined) return undefined
    const detail = await api.json<{ body?: { text?: string } }>(messagePath(first.id))
    if (!detail.body?.text) throw new Error('The first message has no text.')
    return { id: first.id, atMs: performance.now() }
  })
}

/** When the first sync had ended. */
async function synced({ api, messages }: FirstSyncBench): Promise<number> {
  const deadlineMs = performance.now() + 60_000 + messages * SYNC_MS_PER_MESSAGE_MAX
  while (performance.now() < deadlineMs) {
    const account = await theAccount(api)
    const isComplete = account?.state === 'ok' && account.messages >= messages
    if (isComplete) return performance.now()
    process.stderr.write(`\r  ${account?.messages ?? 0} of ${messages} `)
    await delay(LOOK_EVERY_MS)
  }
  throw new Error('The first sync did not end in time.')
}

interface Times {
  readonly startMs: number
  readonly addedMs: number
  readonly screenMs: number
  readonly syncedMs: number
}

function timeRows({ messages, floor }: FirstSyncBench, times: Times): readonly Row[] {
  const afterAddMs = times.screenMs - times.addedMs
  const withAddMs = times.screenMs - times.startMs
  const everythingMs = times.syncedMs - times.addedMs
  const perSecond = (tookMs: number) => `${number((messages / tookMs) * 1_000)} messages/s`
  const inbox = `first ${FIRST_SCREEN_MESSAGES} messages readable over the API`
  const screenFloor = `${ms(floor.firstScreenMs)} (imapflow alone)`
  return [
    {
      work: `${inbox}, after account add returned`,
      figure: afterAddMs <= 0 ? `${ms(-afterAddMs)} before` : ms(afterAddMs),
      floor: screenFloor,
      bar: ms(FIRST_SCREEN_BAR_MS),
      met: afterAddMs <= FIRST_SCREEN_BAR_MS,
    },
    {
      work: `${inbox}, from the start of account add`,
      figure: ms(withAddMs),
      floor: screenFloor,
      ratio: number(withAddMs / floor.firstScreenMs),
    },
    {
      work: `first sync of ${messages.toLocaleString('en-GB')} messages`,
      figure: `${seconds(everythingMs)}, ${perSecond(everythingMs)}`,
      floor: `${seconds(floor.everythingMs)}, ${perSecond(floor.everythingMs)} (imapflow alone)`,
      ratio: number(everythingMs / floor.everythingMs),
    },
  ]
}

const requestRow = (request: string, tookMs: readonly number[]): Row => ({
  work: `${request} during it, 20 requests/s, p50 / p95 / longest`,
  figure: [0.5, 0.95, 1].map((fraction) => ms(percentile(tookMs, fraction))).join(' / '),
})
