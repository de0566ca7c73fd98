import {
  acquireLanes,
  type HeldLane,
  LANE_MS,
  releaseLanes,
  renewLanes,
} from '../../domain/webhooks/lanes.ts'
import { waitingLanes } from '../../domain/webhooks/waiting-lanes.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type Lane, newLane } from './lane.ts'

type Ports = Needs<'store' | 'clock' | 'logger'>

/** A lane without anything to do is kept for so long: the next event then goes out without asking for it. */
const IDLE_MS = 10 * 60_000

/** The lanes that this sidecar holds, by the ids of their endpoints. */
export type HeldLanes = Map<number, Lane>

/**
 * Takes the lanes for which something is due, and marks them; those of other sidecars are left to these. Returns when
 * the next delivery that is not due yet will be, in milliseconds UTC; undefined when there is none.
 */
export async function takeDueLanes(
  ctx: Ports,
  sidecarId: string,
  lanes: HeldLanes,
): Promise<number | undefined> {
  const nowMs = ctx.clock.now().getTime()
  const waiting = (await waitingLanes(ctx)).filter(
    ({ holder }) => holder === null || holder === sidecarId,
  )
  const due = waiting.filter(({ nextAttemptAt }) => nextAttemptAt <= nowMs)
  const wanted = due.filter(
    ({ webhookId, holder }) => holder === null || (lanes.get(webhookId)?.epoch ?? null) === null,
  )
  if (wanted.length > 0) {
    const ids = wanted.map(({ webhookId }) => webhookId)
    for (const { webhookId, epoch } of await acquireLanes(ctx, sidecarId, ids)) {
      // One that was lost and comes back still knows what is under way.
      const lane = lanes.get(webhookId) ?? newLane(webhookId)
      lanes.set(webhookId, lane)
      lane.epoch = epoch
    }
  }
  for (const { webhookId } of due) {
    const lane = lanes.get(webhookId)
    if (lane && lane.epoch !== null) lane.hasMore = true
  }
  const later = waiting.map(({ nextAttemptAt }) => nextAttemptAt).filter((at) => at > nowMs)
  return later.length > 0 ? Math.min(...later) : undefined
}

/** Holds the lanes until `signal` aborts, and forgets those that were lost or have nothing to do. */
export async function keepLanes(
  ctx: Ports,
  { sidecarId, lanes }: { readonly sidecarId: string; readonly lanes: HeldLanes },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await ctx.clock.sleep(LANE_MS / 3, signal)
    if (signal.aborted || lanes.size === 0) continue
    try {
      await releaseIdle(ctx, sidecarId, lanes)
      loseOthers(lanes, await renewLanes(ctx, sidecarId))
    } catch (error) {
      ctx.logger.error('The lanes of webhooks could not be renewed.', error)
    }
  }
}

function loseOthers(lanes: HeldLanes, held: readonly HeldLane[]): void {
  const epochs = new Map(held.map(({ webhookId, epoch }) => [webhookId, epoch]))
  for (const lane of lanes.values())
    if (epochs.get(lane.webhookId) !== lane.epoch) lose(lanes, lane)
}

async function releaseIdle(ctx: Ports, sidecarId: string, lanes: HeldLanes): Promise<void> {
  const beforeMs = ctx.clock.now().getTime() - IDLE_MS
  const idle = [...lanes.values()].filter(
    (lane) =>
      lane.lastBegunAt < beforeMs && !lane.hasMore && lane.queue.length === 0 && !isBusy(lane),
  )
  for (const lane of idle) lose(lanes, lane)
  if (idle.length === 0) return
  await releaseLanes(
    ctx,
    sidecarId,
    idle.map(({ webhookId }) => webhookId),
  )
}

/** What is under way must not begin a second time if the lane comes back. */
function lose(lanes: HeldLanes, lane: Lane): void {
  lane.epoch = null
  lane.queue = []
  lane.hasMore = false
  if (!isBusy(lane)) lanes.delete(lane.webhookId)
}

const isBusy = ({ underway, unwritten }: Lane) => underway.size + unwritten.size > 0
