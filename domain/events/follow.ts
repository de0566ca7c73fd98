import type { Needs } from '../../runtime/ports/runtime.ts'
import { eventFeed, newestEventId, type ToldEvent } from './feed.ts'

interface Following {
  /** The last event that is known, to go on after it; from now on where it is left out. */
  readonly after?: number | undefined
  /**
   * How far a follower may fall behind once it has reached the newest event: older ones are then left out. As far as
   * it will where this is absent, and while it catches up with what came before it began.
   */
  readonly behindMax?: number
  readonly signal: AbortSignal
}

/**
 * All events after one that is known, then those that come, some at a time, until `signal` aborts. Whoever returns with
 * the id of the last one misses nothing that is kept: a week (spec section 6). Ids that are left out are lost events.
 */
export async function* followEvents(
  ctx: Needs<'store' | 'wake' | 'clock'>,
  { after, behindMax = Infinity, signal }: Following,
): AsyncGenerator<readonly ToldEvent[]> {
  const feed = eventFeed(ctx)
  let last = after ?? (await newestEventId(ctx))
  let isCatchingUp = true
  while (!signal.aborted) {
    if (!isCatchingUp) last = Math.max(last, (await feed.newest(last)) - behindMax)
    const begin = last
    const page = await feed.pageAfter(begin)
    const some = page.filter(({ id }) => id > begin)
    if (some.length > 0) yield some
    // Others share the page as long as somebody holds it: here, for as long as that took. It may have been read before
    // there was what this follower knows.
    last = Math.max(begin, page.at(-1)?.id ?? begin)
    if (some.length > 0) continue
    isCatchingUp = false
    await feed.grown(last, signal)
  }
}
