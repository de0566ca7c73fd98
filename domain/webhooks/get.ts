import { eq } from 'drizzle-orm'
import { webhooks } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'
import { statsOf } from './stats.ts'
import { WEBHOOK_COLUMNS, type WebhookRecord } from './webhook-record.ts'

/** The endpoint with this id. Throws `not_found`. */
export async function getWebhook(ctx: Needs<'store'>, id: number): Promise<WebhookRecord> {
  const [webhook] = await ctx.store.read
    .select(WEBHOOK_COLUMNS)
    .from(webhooks)
    .where(eq(webhooks.id, id))
  const stats = webhook && (await statsOf(ctx, [id])).get(id)
  if (!stats) throw webhookNotFound(id)
  return { ...webhook, stats }
}

/** Throws `not_found` where there is no such endpoint. */
export async function requireWebhook({ store }: Needs<'store'>, id: number): Promise<void> {
  const [webhook] = await store.read
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(eq(webhooks.id, id))
  if (!webhook) throw webhookNotFound(id)
}

export const webhookNotFound = (id: number) => notFound('webhook', id)
