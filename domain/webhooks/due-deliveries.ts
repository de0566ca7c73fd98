import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { webhookDeliveries } from '../../db/schema/webhooks.ts'
import type { Reader } from '../../db/client.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { prepared } from '../prepared.ts'
import { isUnsettled } from './unsettled.ts'

/** The ids of the deliveries of an endpoint that are due, those first that were due first; `limit` at most. */
export async function dueDeliveries(
  { store, clock }: Needs<'store' | 'clock'>,
  { webhookId, limit }: { readonly webhookId: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await due(store.read).execute({ webhookId, limit, now: clock.now().getTime() })
  return rows.map(({ id }) => id)
}

const due = prepared((read: Reader) =>
  read
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, sql.placeholder('webhookId')),
        isUnsettled,
        lte(webhookDeliveries.nextAttemptAt, sql.placeholder('now')),
      ),
    )
    .orderBy(asc(webhookDeliveries.nextAttemptAt), asc(webhookDeliveries.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)
