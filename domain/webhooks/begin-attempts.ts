import { and, eq, gt, sql } from 'drizzle-orm'
import { webhookDeliveries, webhookLanes, webhooks } from '../../db/schema/webhooks.ts'
import type { Reader } from '../../db/client.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { databaseNowMs } from '../database-time.ts'
import { prepared } from '../prepared.ts'
import { isUnsettled } from './unsettled.ts'

/** A delivery that this sidecar alone may attempt now, as its row and its endpoint stand. */
export type Attempt = Awaited<ReturnType<typeof beginAttempts>>[number]

/**
 * What is needed to attempt these deliveries. Those that are no longer due, whose endpoint was paused, or whose lane
 * this sidecar has lost are left out.
 */
export async function beginAttempts(
  { store, clock }: Needs<'store' | 'clock'>,
  sidecarId: string,
  ids: readonly number[],
) {
  const now = clock.now().getTime()
  return attempts(store.read).execute({ ids: JSON.stringify(ids), sidecarId, now })
}

const attempts = prepared((read: Reader) =>
  read
    .select({
      id: webhookDeliveries.id,
      webhookId: webhookDeliveries.webhookId,
      deliveryId: webhookDeliveries.deliveryId,
      event: webhookDeliveries.event,
      attempts: webhookDeliveries.attempts,
      round: webhookDeliveries.round,
      body: webhookDeliveries.body,
      url: webhooks.url,
      sealedSecret: webhooks.sealedSecret,
      activations: webhooks.activations,
      epoch: webhookLanes.epoch,
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .innerJoin(webhookLanes, eq(webhookLanes.webhookId, webhookDeliveries.webhookId))
    .where(
      and(
        sql`${webhookDeliveries.id} in (select value from json_each(${sql.placeholder('ids')}))`,
        isUnsettled,
        // A plus keeps SQLite from taking an index for it: the ids are few, and all that is due may be much.
        sql`+${webhookDeliveries.nextAttemptAt} <= ${sql.placeholder('now')}`,
        sql`+${webhookLanes.sidecarId} = ${sql.placeholder('sidecarId')}`,
        gt(webhookLanes.expiresAt, databaseNowMs),
        eq(webhooks.active, true),
      ),
    )
    .prepare(),
)
