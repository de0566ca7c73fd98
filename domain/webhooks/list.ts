import { asc } from 'drizzle-orm'
import { webhooks } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { statsOf } from './stats.ts'
import { WEBHOOK_COLUMNS, type WebhookRecord } from './webhook-record.ts'

/** All endpoints, in the order in which they were created. */
export async function listWebhooks(ctx: Needs<'store'>): Promise<readonly WebhookRecord[]> {
  const rows = await ctx.store.read.select(WEBHOOK_COLUMNS).from(webhooks).orderBy(asc(webhooks.id))
  const stats = await statsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows.flatMap((row) => {
    const own = stats.get(row.id)
    return own ? [{ ...row, stats: own }] : []
  })
}
