import { asc, gt, max } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { events } from '../../db/schema/events.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { wakeOrTimeout } from '../wait.ts'
import { sharedPages } from './shared-pages.ts'

/** How soon an event is noticed when its wake was lost. */
const LOOK_EVERY_MS = 1_000
const EVENTS_AT_ONCE = 200

/** An event as it is told. Ids grow in the order in which events became true, and leave none out. */
export type ToldEvent = typeof events.$inferSelect

type Ctx = Needs<'store' | 'wake' | 'clock'>

/** The newest events, which are read once for all who follow them. */
interface EventFeed {
  /**
   * Events in order, a few hundred at most, with the next one after this one among them; those before it may be, too.
   * None where there are no more.
   */
  pageAfter(id: number): Promise<readonly ToldEvent[]>
  /** The newest event there is, as far as whoever stands at this one has to know. */
  newest(id: number): Promise<number>
  /** Resolves when there may be events after this one, or when `signal` aborts. Throws what the store throws. */
  grown(id: number, signal: AbortSignal): Promise<void>
}

const feeds = new WeakMap<Reader, EventFeed>()

/** The feed of a store: one look into it, at each wake and once a second, for any number of followers. */
export function eventFeed(ctx: Ctx): EventFeed {
  const feed = feeds.get(ctx.store.read) ?? openFeed(ctx)
  feeds.set(ctx.store.read, feed)
  return feed
}

/** The id of the newest event there is; 0 where there was none yet. */
export async function newestEventId({ store }: Needs<'store'>): Promise<number> {
  const [newest] = await store.read.select({ id: max(events.id) }).from(events)
  return newest?.id ?? 0
}

const eventsAfter = ({ store }: Needs<'store'>, id: number): Promise<ToldEvent[]> =>
  store.read
    .select()
    .from(events)
    .where(gt(events.id, id))
    .orderBy(asc(events.id))
    .limit(EVENTS_AT_ONCE)

function openFeed(ctx: Ctx): EventFeed {
  let recent: readonly ToldEvent[] = []
  let newest = 0
  let newestStored = 0

  const pageOf = sharedPages(EVENTS_AT_ONCE, (id) => eventsAfter(ctx, id))
  const holds = (id: number) => {
    const [oldest] = recent
    return oldest !== undefined && oldest.id - 1 <= id && id <= newest
  }
  const followers = waitingFollowers(ctx, async () => {
    const some = await eventsAfter(ctx, newest)
    const last = some.at(-1)
    if (last === undefined) return false
    recent = [...recent, ...some].slice(-EVENTS_AT_ONCE)
    newest = last.id
    newestStored = some.length < EVENTS_AT_ONCE ? newest : await newestEventId(ctx)
    return true
  })

  return {
    newest: async (id) => (holds(id) ? newestStored : newestEventId(ctx)),
    pageAfter: async (id) => (holds(id) ? recent : pageOf(id)),
    async grown(id, signal) {
      if (id < newest || signal.aborted) return
      if (id > newest) {
        // Nobody has looked for a while.
        newest = id
        recent = []
        followers.release()
      }
      await followers.join(signal)
    },
  }
}

/** Those who wait for events: while there are any, one loop has `look` say whether there are new ones. */
function waitingFollowers(ctx: Needs<'wake' | 'clock'>, look: () => Promise<boolean>) {
  const followers = new Set<PromiseWithResolvers<void>>()
  let isWatching = false
  let resting = new AbortController()

  const release = (how = ({ resolve }: PromiseWithResolvers<void>) => resolve()) => {
    for (const follower of followers) how(follower)
    followers.clear()
  }
  const watch = async () => {
    isWatching = true
    try {
      while (followers.size > 0) {
        if (await look()) release()
        else {
          resting = new AbortController()
          await wakeOrTimeout(ctx, { topic: 'events', ms: LOOK_EVERY_MS }, resting.signal)
        }
      }
    } catch (error) {
      release(({ reject }) => reject(error))
    }
    isWatching = false
  }

  return {
    release: () => release(),
    /** Resolves when there are new ones, or when `signal` aborts; throws what `look` throws. */
    async join(signal: AbortSignal): Promise<void> {
      const follower = Promise.withResolvers<void>()
      const leave = () => {
        followers.delete(follower)
        follower.resolve()
        if (followers.size === 0) resting.abort()
      }
      signal.addEventListener('abort', leave, { once: true })
      followers.add(follower)
      if (!isWatching) void watch()
      await follower.promise.finally(() => signal.removeEventListener('abort', leave))
    },
  }
}
