import { showBoth, showMemory, sumOf } from './both-processes.ts'
import type { FirstSync } from './first-sync.ts'
import type { PeerSync } from './peer-sync.ts'
import { percentile } from './statistics.ts'
import { MEBIBYTE, mebibytes, ms, number, seconds } from './table.ts'
import type { Row } from './table.ts'
import type { WireFloor } from './wire-floor.ts'

const SCREEN_BAR_MS = 1_000
const PEERS_RATIO_BAR = 0.5
const REQUEST_P95_BAR_MS = 25
const DELAY_P99_BAR_MS = 30
const PEAK_BAR_BYTES = 350 * MEBIBYTE
const REST_BAR_BYTES = 200 * MEBIBYTE

/** What the same mailbox took others, in the same run. */
export interface OthersSync {
  readonly floor: WireFloor
  /** Undefined where there are none. */
  readonly peers: PeerSync | undefined
}

/** From when the account was there until everything was stored and indexed, in milliseconds. */
export const syncTookMs = ({ syncedMs, storedMs }: FirstSync) => syncedMs - storedMs

/** What a first sync is judged by. */
export const firstSyncRows = (sync: FirstSync, others: OthersSync): readonly Row[] => [
  ...screenRows(sync, others.floor),
  ...syncRows(sync, others),
  requestRow('GET /v1/messages?limit=50', sync.load.listMs, sync.loadAtRest.listMs),
  requestRow('GET /v1/messages/{id}', sync.load.getMs, sync.loadAtRest.getMs),
  delayRow(sync),
  {
    work: 'processor time until then: handlers, sidecar',
    figure: showBoth(sync.processorMs, seconds),
  },
  ...memoryRows(sync, others.peers),
]

function screenRows(sync: FirstSync, floor: WireFloor): readonly Row[] {
  const screen = 'first 50 messages readable over the API'
  const screenFloor = `${ms(floor.firstScreenMs)} (imapflow alone)`
  const row = (since: string, sinceMs: number): Row => {
    const tookMs = sync.screenMs - sinceMs
    return {
      work: `${screen}, ${since}`,
      figure: tookMs < 0 ? `${ms(-tookMs)} before` : ms(tookMs),
      floor: screenFloor,
      ...(tookMs > 0 && { ratio: number(tookMs / floor.firstScreenMs) }),
    }
  }
  const afterMs = sync.screenMs - sync.storedMs
  return [
    {
      ...row('after the account was there', sync.storedMs),
      bar: ms(SCREEN_BAR_MS),
      met: afterMs <= SCREEN_BAR_MS,
    },
    row('after account add returned', sync.addedMs),
    row('from the start of account add', 0),
  ]
}

function syncRows(sync: FirstSync, { floor, peers }: OthersSync): readonly Row[] {
  const count = sync.messages.toLocaleString('en-GB')
  const perSecond = (tookMs: number) => `${number((sync.messages / tookMs) * 1_000)} messages/s`
  const both = (tookMs: number) => `${seconds(tookMs)}, ${perSecond(tookMs)}`
  const tookMs = syncTookMs(sync)
  const shown = { work: `first sync of ${count} messages`, figure: both(tookMs) }
  return [
    { ...shown, ...besidePeers(tookMs, peers) },
    {
      ...shown,
      floor: `${both(floor.everythingMs)} (imapflow alone)`,
      ratio: number(tookMs / floor.everythingMs),
    },
  ]
}

function besidePeers(tookMs: number, peers: PeerSync | undefined): Omit<Row, 'work' | 'figure'> {
  const bar = `ratio ${PEERS_RATIO_BAR}`
  if (!peers) return { floor: 'mbsync and notmuch are not here', bar }
  const { mbsync, notmuch } = peers
  const ratio = tookMs / (mbsync.tookMs + notmuch.tookMs)
  return {
    floor: `${seconds(mbsync.tookMs)} + ${seconds(notmuch.tookMs)} (mbsync + notmuch new)`,
    ratio: number(ratio),
    bar,
    met: ratio <= PEERS_RATIO_BAR,
  }
}

function requestRow(request: string, tookMs: readonly number[], atRestMs: readonly number[]): Row {
  const p95 = percentile(tookMs, 0.95)
  const show = (values: readonly number[]) =>
    [0.5, 0.95, 1].map((fraction) => ms(percentile(values, fraction))).join(' / ')
  return {
    work: `${request} during it, 20 requests/s, p50 / p95 / longest`,
    figure: show(tookMs),
    floor: `${show(atRestMs)} (at rest)`,
    ratio: number(p95 / percentile(atRestMs, 0.95)),
    bar: `p95 ${ms(REQUEST_P95_BAR_MS)}`,
    met: p95 <= REQUEST_P95_BAR_MS,
  }
}

function delayRow({ delays, delayOfIdler }: FirstSync): Row {
  const show = ({ p99, max }: { readonly p99: number; readonly max: number }) =>
    `${ms(p99)} / ${ms(max)}`
  return {
    work: 'event loop delay during it, p99 / longest: handlers, sidecar',
    figure: showBoth(delays, show),
    floor: `${show(delayOfIdler)} (a process that does nothing)`,
    bar: `handlers p99 ${ms(DELAY_P99_BAR_MS)}`,
    met: delays.handlers.p99 <= DELAY_P99_BAR_MS,
  }
}

function memoryRows(
  { peakBytes, restBytes, restMemory }: FirstSync,
  peers: PeerSync | undefined,
): readonly Row[] {
  return [
    {
      work: 'peak memory until then: handlers, sidecar, sum',
      figure: showMemory(peakBytes),
      ...(peers && {
        floor: `${mebibytes(peers.mbsync.peakBytes)}, ${mebibytes(peers.notmuch.peakBytes)} (mbsync, notmuch)`,
      }),
      bar: `sum ${mebibytes(PEAK_BAR_BYTES)}`,
      met: sumOf(peakBytes) <= PEAK_BAR_BYTES,
    },
    {
      work: 'memory after a minute of rest: handlers, sidecar, sum',
      figure: showMemory(restBytes),
      bar: `each ${mebibytes(REST_BAR_BYTES)}`,
      met: Math.max(restBytes.handlers, restBytes.sidecar) <= REST_BAR_BYTES,
    },
    {
      work: 'of it in the main threads, heap used / heap kept / outside of the heap: handlers, sidecar',
      figure: showBoth(restMemory, ({ heapUsed, heapTotal, external }) =>
        [heapUsed, heapTotal, external].map(mebibytes).join(' / '),
      ),
    },
  ]
}
