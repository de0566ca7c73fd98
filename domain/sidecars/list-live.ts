import { and, gt, lt, sql } from 'drizzle-orm'
import { sidecars } from '../../db/schema/sidecars.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { databaseNowMs } from '../database-time.ts'
import { prepared } from '../prepared.ts'

/** How long a sidecar counts as running after its last heartbeat. */
const LIVE_MS = 15_000

const live = prepared((read) =>
  read
    .select({ url: sidecars.url })
    .from(sidecars)
    .where(
      and(
        gt(sidecars.heartbeatAt, sql`${databaseNowMs} - ${LIVE_MS}`),
        lt(sidecars.heartbeatAt, sql`${databaseNowMs} + ${LIVE_MS}`),
      ),
    )
    .prepare(),
)

/** Where the running sidecars answer. A heartbeat of the future is from before the clock was turned back. */
export async function listLiveSidecars({ store }: Needs<'store'>): Promise<readonly string[]> {
  const rows = await live(store.read).all()
  return rows.map(({ url }) => url)
}
