import { eq, sql } from 'drizzle-orm'
import { webhooks } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { checkedUrl } from './checked-url.ts'
import { knownEvents } from './event-names.ts'
import { getWebhook, webhookNotFound } from './get.ts'
import type { WebhookRecord } from './webhook-record.ts'

/** What is absent stays as it is. */
export interface UpdateWebhook {
  readonly id: number
  readonly url?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly active?: boolean | undefined
}

/**
 * Changes an endpoint, for attempts from now on. Switched on it takes up what waits for it; switched off it keeps that.
 * Throws `not_found`, and `invalid_request` as `createWebhook` does.
 */
export async function updateWebhook(
  ctx: Needs<'store' | 'wake' | 'config'>,
  { id, url, events, active }: UpdateWebhook,
): Promise<WebhookRecord> {
  const changes = {
    ...(url !== undefined && { url: checkedUrl(url, ctx.config) }),
    ...(events !== undefined && { events: knownEvents(events) }),
    ...(active === false && { active }),
    ...(active === true && {
      active,
      autoDisabledAt: null,
      activations: sql`${webhooks.activations} + 1`,
    }),
  }
  if (Object.keys(changes).length > 0) {
    const [changed] = await ctx.store.commit((write) => [
      write.update(webhooks).set(changes).where(eq(webhooks.id, id)).returning({ id: webhooks.id }),
    ])
    if (changed.length === 0) throw webhookNotFound(id)
    ctx.wake.now('webhooks')
  }
  return getWebhook(ctx, id)
}
