import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { webhookLanes, webhooks } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { databaseNowMs, isOver } from '../database-time.ts'

/** How long a sidecar that stopped renewing keeps its lanes. */
export const LANE_MS = 30_000

/** The right to send the deliveries of an endpoint. `epoch` tells this holder from every earlier one. */
export interface HeldLane {
  readonly webhookId: number
  readonly epoch: number
}

const expiry = sql<number>`${databaseNowMs} + ${LANE_MS}`

const HELD = { webhookId: webhookLanes.webhookId, epoch: webhookLanes.epoch } as const

/** Takes the lanes of these endpoints but for those that another sidecar holds; returns what it has got. */
export async function acquireLanes(
  { store }: Needs<'store'>,
  sidecarId: string,
  webhookIds: readonly number[],
): Promise<readonly HeldLane[]> {
  const [held] = await store.commit((write) => [
    write
      .insert(webhookLanes)
      // An endpoint that was deleted meanwhile is left out.
      .select((read) =>
        read
          .select({
            webhookId: webhooks.id,
            sidecarId: sql<string>`${sidecarId}`.as('sidecar_id'),
            epoch: sql<number>`1`.as('epoch'),
            expiresAt: sql<number>`${expiry}`.as('expires_at'),
          })
          .from(webhooks)
          .where(inArray(webhooks.id, [...webhookIds])),
      )
      .onConflictDoUpdate({
        target: webhookLanes.webhookId,
        set: { sidecarId, epoch: sql`${webhookLanes.epoch} + 1`, expiresAt: expiry },
        setWhere: sql`${isOver(webhookLanes.expiresAt, LANE_MS)} or ${webhookLanes.sidecarId} = ${sidecarId}`,
      })
      .returning(HELD),
  ])
  return held
}

const isLaneOf = (sidecarId: string) =>
  and(eq(webhookLanes.sidecarId, sidecarId), gt(webhookLanes.expiresAt, databaseNowMs))

/** Holds all lanes of this sidecar for another `LANE_MS`; returns those that are still its own. */
export async function renewLanes(
  { store }: Needs<'store'>,
  sidecarId: string,
): Promise<readonly HeldLane[]> {
  const [held] = await store.commit((write) => [
    write
      .update(webhookLanes)
      .set({ expiresAt: expiry })
      .where(isLaneOf(sidecarId))
      .returning(HELD),
  ])
  return held
}

/** Gives lanes back, so that another sidecar need not wait. The rows stay: an epoch must never repeat. */
export async function releaseLanes(
  { store }: Needs<'store'>,
  sidecarId: string,
  webhookIds: readonly number[],
): Promise<void> {
  await store.commit((write) => [
    write
      .update(webhookLanes)
      .set({ expiresAt: 0 })
      .where(
        and(
          eq(webhookLanes.sidecarId, sidecarId),
          inArray(webhookLanes.webhookId, [...webhookIds]),
        ),
      ),
  ])
}
