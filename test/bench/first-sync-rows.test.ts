import { expect, test } from 'vitest'

import { firstSyncRows } from './first-sync-rows.ts'
import type { OthersSync } from './first-sync-rows.ts'
import type { FirstSync } from './first-sync.ts'
import { scaleRows } from './scale-rows.ts'
import { MEBIBYTE } from './table.ts'

const MAIN_THREAD = { heapUsed: 30 * MEBIBYTE, heapTotal: 40 * MEBIBYTE, external: MEBIBYTE }

/** A first sync of 20,000 messages that took 20 s, begun 1 s after the command. */
const firstSync = (seen: Partial<FirstSync> = {}): FirstSync => ({
  messages: 20_000,
  storedMs: 1_000,
  addedMs: 1_500,
  screenMs: 2_000,
  syncedMs: 21_000,
  load: { listMs: [5], getMs: [5] },
  delays: { handlers: { p99: 10, max: 20 }, sidecar: { p99: 40, max: 90 } },
  delayOfIdler: { p99: 1, max: 2 },
  processorMs: { handlers: 1_000, sidecar: 10_000 },
  peakBytes: { handlers: 100 * MEBIBYTE, sidecar: 200 * MEBIBYTE },
  restBytes: { handlers: 90 * MEBIBYTE, sidecar: 100 * MEBIBYTE },
  restMemory: { handlers: MAIN_THREAD, sidecar: MAIN_THREAD },
  loadAtRest: { listMs: [2], getMs: [2] },
  ...seen,
})

const OTHERS: OthersSync = {
  floor: { firstScreenMs: 50, everythingMs: 1_000 },
  peers: {
    mbsync: { tookMs: 10_000, peakBytes: 10 * MEBIBYTE },
    notmuch: { tookMs: 30_000, peakBytes: 200 * MEBIBYTE },
    maildirBytes: 1,
    indexBytes: 1,
  },
}

const rowOf = (work: string, sync = firstSync(), others = OTHERS) => {
  const row = firstSyncRows(sync, others).find((one) => one.work.startsWith(work))
  if (!row) throw new Error(`No row of ${work}.`)
  return row
}

test('a sync is timed from when the account was there', () => {
  expect(rowOf('first sync of 20,000')).toMatchObject({
    figure: '20.0 s, 1,000 messages/s',
    floor: '10.0 s + 30.0 s (mbsync + notmuch new)',
    ratio: '0.50',
    met: true,
  })
  expect(rowOf('first 50 messages', firstSync({ screenMs: 2_001 }))).toMatchObject({
    figure: '1,001 ms',
    met: false,
  })
})

test('half of what the peers took is the bar, and without them there is no verdict', () => {
  expect(rowOf('first sync', firstSync({ syncedMs: 21_001 })).met).toBe(false)
  const alone = rowOf('first sync', firstSync(), { ...OTHERS, peers: undefined })
  expect(alone).toMatchObject({ floor: 'mbsync and notmuch are not here', bar: 'ratio 0.5' })
  expect(alone).not.toHaveProperty('met')
})

test('the peak is judged by the sum of both processes, the rest by each', () => {
  const peakBytes = { handlers: 150 * MEBIBYTE, sidecar: 201 * MEBIBYTE }
  expect(rowOf('peak memory', firstSync({ peakBytes }))).toMatchObject({
    figure: '150 MiB, 201 MiB, 351 MiB',
    met: false,
  })
  const restBytes = { handlers: 200 * MEBIBYTE, sidecar: 200 * MEBIBYTE }
  expect(rowOf('memory after', firstSync({ restBytes })).met).toBe(true)
  expect(rowOf('memory after', firstSync({ restBytes: peakBytes })).met).toBe(false)
})

test('requests and timers are judged during the sync', () => {
  const load = { listMs: [26], getMs: [25] }
  expect(rowOf('GET /v1/messages?limit', firstSync({ load })).met).toBe(false)
  expect(rowOf('GET /v1/messages/{id}', firstSync({ load })).met).toBe(true)
  const sidecar = { p99: 90, max: 90 }
  const isMet = (p99: number) =>
    rowOf('event loop', firstSync({ delays: { handlers: { p99, max: 99 }, sidecar } })).met
  expect([isMet(30), isMet(31)]).toEqual([true, false])
})

test('five times the messages may take a fifth more time each and a tenth more memory', () => {
  const large = (syncedMs: number, sidecar: number) =>
    firstSync({
      messages: 100_000,
      syncedMs,
      peakBytes: { handlers: 100 * MEBIBYTE, sidecar: sidecar * MEBIBYTE },
    })
  const verdicts = (syncedMs: number, sidecar: number) =>
    scaleRows(firstSync(), large(syncedMs, sidecar)).map(({ ratio, met }) => [ratio, met])
  expect(verdicts(126_000, 230)).toEqual([
    ['0.80', true],
    ['1.10', true],
    ['1.00', undefined],
  ])
  expect(verdicts(127_000, 231).map(([, met]) => met)).toEqual([false, false, undefined])
})
