import { and, eq, min, sql } from 'drizzle-orm'
import { webhookDeliveries, webhookLanes, webhooks } from '../../db/schema/webhooks.ts'
import type { Reader } from '../../db/client.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isOver } from '../database-time.ts'
import { prepared } from '../prepared.ts'
import { LANE_MS } from './lanes.ts'
import { isUnsettled } from './unsettled.ts'

/** An active endpoint for which something waits. */
export interface WaitingLane {
  readonly webhookId: number
  /** When the first of it is due; milliseconds UTC. */
  readonly nextAttemptAt: number
  /** Who sends its deliveries, if anybody does. */
  readonly holder: string | null
}

/** Every active endpoint for which something waits, due or not. */
export async function waitingLanes({ store }: Needs<'store'>): Promise<readonly WaitingLane[]> {
  const rows = await waiting(store.read).execute()
  return rows.flatMap(({ webhookId, nextAttemptAt, isFree, holder }) =>
    nextAttemptAt === null ? [] : [{ webhookId, nextAttemptAt, holder: isFree ? null : holder }],
  )
}

/** One look into the index of what is due for each endpoint, however much waits for it. */
const waiting = prepared((read: Reader) => {
  const first = read
    .select({ at: min(webhookDeliveries.nextAttemptAt) })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhooks.id), isUnsettled))
  return read
    .select({
      webhookId: webhooks.id,
      nextAttemptAt: sql<number | null>`(${first})`.as('next_attempt'),
      holder: webhookLanes.sidecarId,
      isFree: isOver(webhookLanes.expiresAt, LANE_MS).mapWith(Boolean),
    })
    .from(webhooks)
    .leftJoin(webhookLanes, eq(webhookLanes.webhookId, webhooks.id))
    .where(eq(webhooks.active, true))
    .prepare()
})
