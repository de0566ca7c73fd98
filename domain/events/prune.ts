import { and, inArray, lt } from 'drizzle-orm'
import { events } from '../../db/schema/events.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { newestEventId } from './feed.ts'

const KEPT_MS = 7 * 24 * 60 * 60_000
/** Few enough that the transaction stays under 20 ms. */
const ROWS_PER_TRANSACTION = 500

/** Forgets events that are older than a week; never the newest, whose id says how far events have come. */
export async function pruneEvents({ store, clock }: Needs<'store' | 'clock'>): Promise<void> {
  const before = clock.now().getTime() - KEPT_MS
  const newest = await newestEventId({ store })
  for (;;) {
    const old = await store.read
      .select({ id: events.id })
      .from(events)
      .where(and(lt(events.createdAt, before), lt(events.id, newest)))
      .limit(ROWS_PER_TRANSACTION)
    if (old.length === 0) return
    const ids = old.map(({ id }) => id)
    await store.transaction((tx) => tx.delete(events).where(inArray(events.id, ids)))
  }
}
