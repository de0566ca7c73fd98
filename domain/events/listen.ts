import { and, gt, inArray, lt, sql } from 'drizzle-orm'
import { events } from '../../db/schema/events.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import type { EventName } from '../webhooks/event-names.ts'
import { newestEventId, type ToldEvent } from './feed.ts'
import { followEvents } from './follow.ts'

/** How many events wait for a listener that does not keep up; of more, the oldest are left out. */
const BEHIND_MAX = 10_000

/** What a listener gets: events, none sometimes, or how many it will never get. */
export type Heard =
  | { readonly kind: 'events'; readonly events: readonly ToldEvent[] }
  | { readonly kind: 'loss'; readonly count: number }

interface Listening {
  /** The event to go on after. */
  readonly after: number
  /** Every kind where it is absent. */
  readonly kinds?: readonly EventName[] | undefined
  readonly signal: AbortSignal
}

/**
 * The event after which a listener begins: that of `since`, else the newest. Throws `invalid_request` for one that
 * events have not come to: its store is another one.
 */
export async function listeningFrom(ctx: Needs<'store'>, since?: number): Promise<number> {
  const newest = await newestEventId(ctx)
  if (since !== undefined && since > newest)
    throw invalidRequest(`since: the newest event is ${newest}; leave it out to begin there`)
  return since ?? newest
}

/**
 * The events of some kinds, in order, until `signal` aborts. Read when they are asked for, so that one who takes long
 * costs nothing; what it loses by being away for over a week, or by falling 10,000 events behind, is counted. Of what
 * is no longer stored that count holds every kind.
 */
export async function* listenToEvents(
  ctx: Needs<'store' | 'wake' | 'clock'>,
  { after, kinds, signal }: Listening,
): AsyncGenerator<Heard> {
  let last = after
  for await (const some of followEvents(ctx, { after, behindMax: BEHIND_MAX, signal })) {
    let heard: ToldEvent[] = []
    for (const event of some) {
      const gap = { after: last, before: event.id }
      last = event.id
      const lost = gap.before - gap.after > 1 ? await countLost(ctx, gap, kinds) : 0
      if (lost > 0) {
        yield { kind: 'events', events: heard }
        yield { kind: 'loss', count: lost }
        heard = []
      }
      if (!kinds || kinds.includes(event.kind)) heard.push(event)
    }
    yield { kind: 'events', events: heard }
  }
}

async function countLost(
  { store }: Needs<'store'>,
  { after, before }: { readonly after: number; readonly before: number },
  kinds: readonly EventName[] | undefined,
): Promise<number> {
  if (!kinds) return before - after - 1
  const isWanted = inArray(events.kind, [...kinds])
  const [stored] = await store.read
    .select({ unwanted: sql<number>`coalesce(sum(not ${isWanted}), 0)` })
    .from(events)
    .where(and(gt(events.id, after), lt(events.id, before)))
  return before - after - 1 - (stored?.unwanted ?? 0)
}
