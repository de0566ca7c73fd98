import { asc, gt, max } from 'drizzle-orm'
import { events } from '../../db/schema/events.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { wakeOrTimeout } from '../wait.ts'

/** How soon an event is noticed when its wake was lost. */
const LOOK_EVERY_MS = 1_000
const EVENTS_AT_ONCE = 200

/** An event as it is told. Ids grow in the order in which events became true. */
export type ToldEvent = typeof events.$inferSelect

interface Following {
  /** The last event that is known, to go on after it; from now on where it is left out. */
  readonly after?: number | undefined
  readonly signal: AbortSignal
}

/**
 * All events after one that is known, then those that come, until `signal` aborts. Whoever returns with the id of the
 * last one misses nothing that is kept: a week (spec section 6).
 */
export async function* followEvents(
  ctx: Needs<'store' | 'wake' | 'clock'>,
  { after, signal }: Following,
): AsyncGenerator<ToldEvent> {
  let last = after ?? (await newestEventId(ctx))
  while (!signal.aborted) {
    const some = await eventsAfter(ctx, last)
    yield* some
    last = some.at(-1)?.id ?? last
    if (some.length === 0) await wakeOrTimeout(ctx, { topic: 'events', ms: LOOK_EVERY_MS }, signal)
  }
}

const eventsAfter = ({ store }: Needs<'store'>, id: number): Promise<ToldEvent[]> =>
  store.read
    .select()
    .from(events)
    .where(gt(events.id, id))
    .orderBy(asc(events.id))
    .limit(EVENTS_AT_ONCE)

async function newestEventId({ store }: Needs<'store'>): Promise<number> {
  const [newest] = await store.read.select({ id: max(events.id) }).from(events)
  return newest?.id ?? 0
}
