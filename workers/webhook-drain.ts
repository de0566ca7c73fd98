import { attemptDelivery, type EndedAttempt } from '../domain/webhooks/attempt.ts'
import { type Attempt, beginAttempts } from '../domain/webhooks/begin-attempts.ts'
import { dueDeliveries } from '../domain/webhooks/due-deliveries.ts'
import { releaseLanes } from '../domain/webhooks/lanes.ts'
import { withDeadline, wakeOrTimeout } from '../domain/wait.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import { type HeldLanes, keepLanes, takeDueLanes } from './webhooks/held-lanes.ts'
import { type Lane, nextLane, noteAnswer } from './webhooks/lane.ts'
import { latch, type Latch } from './webhooks/latch.ts'
import { type Outcomes, outcomeWriter } from './webhooks/outcomes.ts'
import { openedSecrets, type OpenedSecrets } from './webhooks/opened-secrets.ts'

export type DrainPorts = Needs<
  'store' | 'clock' | 'wake' | 'outbound' | 'secretBox' | 'logger' | 'metrics'
>

/** How soon a delivery is noticed when its wake was lost (spec section 6, drain interval). */
const LOOK_EVERY_MS = 5_000
/** How many due deliveries of a lane are read ahead. */
const READ_AHEAD = 64
/** How long the end of the process waits for receivers. */
const ENDS_WITHIN_MS = 2_000

interface Drain {
  readonly ctx: DrainPorts
  readonly sidecarId: string
  readonly lanes: HeldLanes
  readonly outcomes: Outcomes
  readonly secrets: OpenedSecrets
  /** Set where a place or something to do has come. */
  readonly changed: Latch
  readonly running: Set<Promise<void>>
  /** Calls off what is under way. */
  readonly calledOff: AbortSignal
}

/**
 * Delivers what is due until `signal` aborts: each endpoint in a lane of its own, a fresh delivery at once, and what is
 * left over within seconds. Receivers that are being asked then are waited for a little; whoever has not answered by
 * then is asked again by the next sidecar.
 */
export async function drainWebhooks(
  ctx: DrainPorts,
  { sidecarId }: { readonly sidecarId: string },
  signal: AbortSignal,
): Promise<void> {
  const lanes: HeldLanes = new Map()
  const calledOff = new AbortController()
  const changed = latch()
  const outcomes = outcomeWriter(ctx, sidecarId, (settled) => {
    for (const { ended, settled: became } of settled) {
      const lane = lanes.get(ended.attempt.webhookId)
      lane?.unwritten.delete(ended.attempt.id)
      // It may have been replayed while it was under way, and be due.
      if (lane && became === 'lost') lane.hasMore = true
    }
    changed.set()
  })
  const drain: Drain = {
    ctx,
    sidecarId,
    lanes,
    outcomes,
    changed,
    secrets: openedSecrets(ctx),
    running: new Set(),
    calledOff: calledOff.signal,
  }
  const ended = new AbortController()
  const kept = keepLanes(ctx, { sidecarId, lanes }, ended.signal)
  await Promise.all([lookForDue(drain, signal), beginWhileThereIsRoom(drain, signal)])
  await withDeadline(ctx, { ms: ENDS_WITHIN_MS, signal: ended.signal }, async (deadline) => {
    deadline.addEventListener('abort', () => calledOff.abort(), { once: true })
    await Promise.all(drain.running)
  })
  await outcomes.end()
  ended.abort()
  await kept
  if (lanes.size > 0) await releaseLanes(ctx, sidecarId, [...lanes.keys()])
}

/** Looks into the store at every wake, when the next delivery is due, and every few seconds. */
async function lookForDue(drain: Drain, signal: AbortSignal): Promise<void> {
  const { ctx, sidecarId, lanes, changed } = drain
  while (!signal.aborted) {
    let ms = LOOK_EVERY_MS
    try {
      const nextAt = await takeDueLanes(ctx, sidecarId, lanes)
      if (nextAt !== undefined) ms = Math.min(ms, Math.max(0, nextAt - ctx.clock.now().getTime()))
      changed.set()
    } catch (error) {
      ctx.logger.error('Webhook deliveries could not be looked for.', error)
    }
    await wakeOrTimeout(ctx, { topic: 'webhooks', ms }, signal)
  }
  changed.set()
}

async function beginWhileThereIsRoom(drain: Drain, signal: AbortSignal): Promise<void> {
  const { ctx, changed } = drain
  while (!signal.aborted) {
    try {
      if (await beginSome(drain)) {
        // Where much goes on, several places come free meanwhile, and are filled at once.
        await ctx.clock.sleep(0)
        continue
      }
    } catch (error) {
      ctx.logger.error('Webhook deliveries could not be begun.', error)
      await ctx.clock.sleep(LOOK_EVERY_MS, signal)
    }
    await changed.wait()
  }
}

/** Begins what there are places for now; whether there was anything to do. */
async function beginSome(drain: Drain): Promise<boolean> {
  const { ctx, sidecarId } = drain
  /** Deliveries that got a place, and their lanes, in which they count as under way. */
  const places = new Map<number, Lane>()
  let begun: readonly Attempt[] = []
  try {
    await takePlaces(drain, places)
    if (places.size > 0) begun = await beginAttempts(ctx, sidecarId, [...places.keys()])
  } finally {
    const found = new Set(begun.map(({ id }) => id))
    for (const [id, lane] of places) if (!found.has(id)) lane.underway.delete(id)
  }
  for (const attempt of begun) {
    const lane = places.get(attempt.id)
    if (!lane) continue
    const running = run(drain, lane, attempt).finally(() => drain.running.delete(running))
    drain.running.add(running)
  }
  if (begun.length < places.size) lookAgain(drain, places)
  return begun.length > 0
}

/** What was known of a lane is outdated: it was paused or lost, or a delivery is gone. */
function lookAgain({ ctx }: Drain, places: ReadonlyMap<number, Lane>): void {
  for (const [id, lane] of places) {
    if (lane.underway.has(id)) continue
    lane.queue = []
    lane.hasMore = false
  }
  ctx.wake.now('webhooks')
}

async function takePlaces({ ctx, lanes }: Drain, places: Map<number, Lane>): Promise<void> {
  for (;;) {
    const nowMs = ctx.clock.now().getTime()
    const lane = nextLane(lanes.values(), nowMs)
    if (!lane) return
    if (lane.queue.length === 0) await readAhead(ctx, lane)
    const [id, ...rest] = lane.queue
    if (id === undefined) continue
    lane.queue = rest
    lane.underway.set(id, nowMs)
    lane.lastBegunAt = nowMs
    places.set(id, lane)
  }
}

async function readAhead(ctx: DrainPorts, lane: Lane): Promise<void> {
  lane.hasMore = false
  const limit = READ_AHEAD + lane.underway.size + lane.unwritten.size
  try {
    const ids = await dueDeliveries(ctx, { webhookId: lane.webhookId, limit })
    lane.queue = ids.filter((id) => !lane.underway.has(id) && !lane.unwritten.has(id))
    if (ids.length === limit) lane.hasMore = true
  } catch (error) {
    lane.hasMore = true
    throw error
  }
}

async function run(drain: Drain, lane: Lane, attempt: Attempt): Promise<void> {
  const { ctx, secrets, calledOff, outcomes, changed } = drain
  const secret = () => secrets.open(attempt.sealedSecret)
  const ended = await attemptDelivery(ctx, { attempt, secret }, calledOff)
  lane.underway.delete(attempt.id)
  if (ended) {
    noteAnswer(lane, answerOf(ended))
    lane.unwritten.add(attempt.id)
    outcomes.add(ended)
  }
  changed.set()
}

const answerOf = ({ outcome, durationMs }: EndedAttempt) => ({
  isOk: outcome.kind === 'ok',
  tookMs: durationMs,
})
