import { open } from 'node:fs/promises'
import { join } from 'node:path'

import { oneByOne, timed } from './http-client.ts'
import type { HttpClient } from './http-client.ts'
import { allAccounts, messagePath } from './mailbox.ts'
import { until } from './processes.ts'
import { readToggle } from './read-toggle.ts'
import { median, percentile } from './statistics.ts'
import { steadyRequests } from './steady-requests.ts'
import { ms, number } from './table.ts'
import type { Row } from './table.ts'
import { untilSynced } from './until-synced.ts'
import type { Synced } from './until-synced.ts'

const MARKED_MESSAGES = 100
const REQUESTS = 500
const APPENDS = 200
const APPENDED_BYTES = 4_096
const LOAD_AT_REST_MS = 10_000
const ADDED_WITHIN_MS = 60_000
const P50_BAR_MS = 5
const P95_BAR_MS = 15
const P95_DURING_SYNC_BAR_MS = 60
const PATCH = 'PATCH /v1/messages/{id}, read and unread in turns'

/** Changes at rest, as fast as they are answered and at 20 a second; those took `steadyMs`. */
interface ChangesAtRest {
  readonly rows: readonly Row[]
  readonly steadyMs: readonly number[]
}

/** How soon changes are answered. The floors: reading the same messages, and a write that is durable. */
export async function measureChangesAtRest(
  dataDir: string,
  api: HttpClient,
  ids: readonly number[],
): Promise<ChangesAtRest> {
  const marked = ids.slice(0, MARKED_MESSAGES)
  const toggle = await readToggle(api, marked)
  const tookMs: number[] = []
  for (let n = 0; n < REQUESTS; n += 1) tookMs.push(await timed(toggle))
  const steadyMs = await steadyRequests(toggle, AbortSignal.timeout(LOAD_AT_REST_MS))
  const getMs = await oneByOne(
    api,
    marked.map((id) => messagePath(id)),
  )
  const appendMs = await durableAppends(join(dataDir, 'bench-append'))
  const row = (how: string, values: readonly number[]): Row => ({
    work: `${PATCH}, ${how}, p50 / p95 / longest`,
    figure: show(values),
    floor: `${show(getMs)} (GET of the same), ${show(appendMs)} (fsync of 4 KiB)`,
    ratio: number(median(values) / (median(getMs) + median(appendMs))),
    bar: `p50 ${ms(P50_BAR_MS)}, p95 ${ms(P95_BAR_MS)}`,
    met: median(values) <= P50_BAR_MS && percentile(values, 0.95) <= P95_BAR_MS,
  })
  return { rows: [row('one by one', tookMs), row('20 requests/s', steadyMs)], steadyMs }
}

/** Another account that is synced for the first time, and the mailbox that is changed meanwhile. */
interface ChangesDuringSync {
  readonly api: HttpClient
  readonly ids: readonly number[]
  readonly atRestMs: readonly number[]
  addAccount(): Promise<unknown>
  /** When it is over. */
  readonly synced: Synced
}

/** How soon changes are answered from when the other account is there until all its messages are. */
export async function measureChangesDuringSync(bench: ChangesDuringSync): Promise<Row> {
  const { api, ids, atRestMs, synced } = bench
  const toggle = await readToggle(api, ids.slice(0, MARKED_MESSAGES))
  const done = new AbortController()
  const isThere = until('the other account', ADDED_WITHIN_MS, async () => {
    const accounts = await allAccounts(api)
    return accounts.length === synced.accounts || undefined
  })
  const load = isThere.then(() => steadyRequests(toggle, done.signal))
  const whole = untilSynced(api, synced).finally(() => done.abort())
  const [tookMs] = await Promise.all([load, whole, bench.addAccount()])
  const p95 = percentile(tookMs, 0.95)
  return {
    work: `${PATCH}, 20 requests/s, during the first sync of another account, p50 / p95 / longest`,
    figure: show(tookMs),
    floor: `${show(atRestMs)} (at rest)`,
    ratio: number(p95 / percentile(atRestMs, 0.95)),
    bar: `p95 ${ms(P95_DURING_SYNC_BAR_MS)}`,
    met: p95 <= P95_DURING_SYNC_BAR_MS,
  }
}

const show = (values: readonly number[]) =>
  [0.5, 0.95, 1].map((fraction) => ms(percentile(values, fraction))).join(' / ')

/** What making 4 KiB durable takes here, in milliseconds. */
async function durableAppends(file: string): Promise<readonly number[]> {
  const bytes = Buffer.alloc(APPENDED_BYTES, 1)
  const tookMs: number[] = []
  await using handle = await open(file, 'a')
  for (let n = 0; n < APPENDS; n += 1)
    tookMs.push(
      await timed(async () => {
        await handle.write(bytes)
        await handle.sync()
      }),
    )
  return tookMs
}
