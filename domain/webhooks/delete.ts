import { eq } from 'drizzle-orm'
import { webhooks } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { webhookNotFound } from './get.ts'

/** Deletes an endpoint with its deliveries: those that wait are never sent. Throws `not_found`. */
export async function deleteWebhook(
  ctx: Needs<'store' | 'wake' | 'logger'>,
  { id }: { readonly id: number },
): Promise<void> {
  const [deleted] = await ctx.store.commit((write) => [
    write.delete(webhooks).where(eq(webhooks.id, id)).returning({ id: webhooks.id }),
  ])
  if (deleted.length === 0) throw webhookNotFound(id)
  ctx.logger.info('A webhook was deleted.', { webhookId: id })
  ctx.wake.now('webhooks')
}
