import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { oneByOne } from './http-client.ts'
import type { HttpClient } from './http-client.ts'
import { allMessageIds, messagePath } from './mailbox.ts'
import { median, percentile } from './statistics.ts'
import { ms } from './table.ts'
import type { Row } from './table.ts'

const REQUESTS = 500
const P50_BAR_MS = 3
const SEED = 42

/** How fast messages from anywhere in the mailbox are read, with their text and with their HTML too. */
export async function measureMessageSpeed(api: HttpClient): Promise<readonly Row[]> {
  const ids = await allMessageIds(api)
  const random = seededRandom(SEED)
  const paths = (body: string) =>
    Array.from({ length: REQUESTS }, () => messagePath(random.pick(ids), body))
  const row = async (body: string): Promise<Row> => {
    await oneByOne(api, paths(body).slice(0, 100))
    const tookMs = await oneByOne(api, paths(body))
    return {
      work: `GET /v1/messages/{id}?body=${body}, ${REQUESTS} random ids, p50 / p95`,
      figure: `${ms(median(tookMs))} / ${ms(percentile(tookMs, 0.95))}`,
      ...(body === 'text' && {
        bar: `p50 ${ms(P50_BAR_MS)}`,
        met: median(tookMs) <= P50_BAR_MS,
      }),
    }
  }
  return [await row('text'), await row('both')]
}
