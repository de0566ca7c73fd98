import { count } from 'drizzle-orm'

import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { unnotedContents } from '../../db/schema/correspondents.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'
import { timed } from './http-client.ts'
import { watchOf } from './process-watch.ts'
import { until } from './processes.ts'
import type { SearchBench } from './search-speed.ts'
import type { SearchedContents } from './searched-mailbox.ts'
import { median, percentile } from './statistics.ts'
import { ms } from './table.ts'
import type { Row } from './table.ts'

const SEED = 20_250_306
const WARM_UP = 20
const REQUESTS = 200
const BAR_MS = 20
const NOTED_WITHIN_MS = 600_000

/** Waits until whoever stands in the mail is suggested. */
export async function untilNoted(databaseUrl: string): Promise<void> {
  const store = openFileStore(databaseUrl)
  try {
    await until('all addresses noted', NOTED_WITHIN_MS, async () => {
      const [left] = await store.read.select({ contents: count() }).from(unnotedContents)
      return left?.contents === 0 || undefined
    })
  } finally {
    await store.close()
  }
}

/** What suggestions take while somebody types the name of one of many correspondents. */
export async function measureSuggestions(
  { service, directory, api }: Omit<SearchBench, 'notmuch'>,
  { correspondents }: SearchedContents,
): Promise<readonly Row[]> {
  const random = seededRandom(SEED)
  const suggest = (typed: string) =>
    timed(() => api.get(`/api/v1/search/suggestions?${new URLSearchParams({ prefix: typed })}`))
  const rows: Row[] = []
  for (const { what, typedOf } of KINDS) {
    const typed = () => {
      const [given = '', family = ''] = random.pick(correspondents).split(' ')
      return typedOf(given, family)
    }
    for (let n = 0; n < WARM_UP; n += 1) await suggest(typed())
    await watchOf(service.pid, directory)
    const tookMs: number[] = []
    for (let n = 0; n < REQUESTS; n += 1) tookMs.push(await suggest(typed()))
    const { delayMs } = await watchOf(service.pid, directory)
    rows.push({
      work: `suggestions, ${what}, p50 / p95; longest; longest event loop delay`,
      figure: `${ms(median(tookMs))} / ${ms(percentile(tookMs, 0.95))}; ${ms(Math.max(...tookMs))}; ${ms(delayMs.max)}`,
      bar: `p95 ${ms(BAR_MS)}`,
      met: percentile(tookMs, 0.95) <= BAR_MS,
    })
  }
  return rows
}

interface Kind {
  readonly what: string
  readonly typedOf: (given: string, family: string) => string
}

const KINDS: readonly Kind[] = [
  { what: 'nothing typed', typedOf: () => '' },
  { what: 'a letter', typedOf: (_, family) => family.slice(0, 1) },
  { what: '2 letters', typedOf: (_, family) => family.slice(0, 2) },
  { what: '3 letters', typedOf: (_, family) => family.slice(0, 3) },
  { what: 'a name and a letter', typedOf: (given, family) => `${given} ${family.slice(0, 1)}` },
  { what: 'two letters that nobody has', typedOf: () => 'zq' },
]
