import { showBoth, showMemory, sumOf } from './both-processes.ts'
import type { OfBoth } from './both-processes.ts'
import type { ProcessWatch } from './process-watch.ts'
import { MEBIBYTE, mebibytes, number, seconds } from './table.ts'
import type { Row } from './table.ts'

const BAR_BYTES = 2 * MEBIBYTE

/** A service whose accounts have all completed a sync. */
export interface IdleService {
  /** Since before it was started. */
  readonly syncedMs: number
  readonly bytes: OfBoth<number>
  /** Of its main thread. */
  readonly sidecar: ProcessWatch['memory']
}

/** The same service with one account and with `accounts`. */
export interface ManyAccounts {
  readonly accounts: number
  readonly one: IdleService
  readonly many: IdleService
  /** Of all accounts but the first, since before the service was started. */
  readonly firstSyncMs: number
  /** Of one connection without the service. */
  readonly connectionBytes: number
}

/** What each account beyond the first takes. */
export function accountRows(measured: ManyAccounts): readonly Row[] {
  const { accounts, one, many, firstSyncMs, connectionBytes } = measured
  const each = (after: number, before: number) => (after - before) / (accounts - 1)
  const eachBytes = {
    handlers: each(many.bytes.handlers, one.bytes.handlers),
    sidecar: each(many.bytes.sidecar, one.bytes.sidecar),
  }
  const inSidecar = (['heapUsed', 'heapTotal', 'external'] as const).map((kind) =>
    mebibytes(each(many.sidecar[kind], one.sidecar[kind])),
  )
  return [
    {
      work: `memory of an idle account beyond the first, ${accounts} accounts, IMAP over TLS with COMPRESS: handlers, sidecar, sum`,
      figure: showMemory(eachBytes),
      floor: `${mebibytes(connectionBytes)} (imapflow alone)`,
      ratio: number(sumOf(eachBytes) / connectionBytes),
      bar: `sum ${mebibytes(BAR_BYTES)}`,
      met: sumOf(eachBytes) <= BAR_BYTES,
    },
    {
      work: 'of it in the main thread of the sidecar: heap used, heap kept, outside of the heap',
      figure: inSidecar.join(', '),
    },
    {
      work: `memory with 1 account; with ${accounts}: handlers, sidecar`,
      figure: [one, many].map(({ bytes }) => showBoth(bytes, mebibytes)).join('; '),
    },
    {
      work: `${accounts} accounts synced after the start of the service: first sync, started again`,
      figure: `${seconds(firstSyncMs)}, ${seconds(many.syncedMs)}`,
    },
  ]
}
