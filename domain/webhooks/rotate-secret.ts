import { eq } from 'drizzle-orm'
import { webhooks } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { getWebhook, webhookNotFound } from './get.ts'
import { secretOf } from './secret.ts'
import type { WebhookWithSecret } from './webhook-record.ts'

/**
 * Gives an endpoint another secret, which every attempt from now on is signed with: the one given, or a new one.
 * Throws `not_found`, and `invalid_request` for one that is too short or too long.
 */
export async function rotateWebhookSecret(
  ctx: Needs<'store' | 'secretBox' | 'logger'>,
  { id, secret: given }: { readonly id: number; readonly secret?: string | undefined },
): Promise<WebhookWithSecret> {
  const secret = secretOf(given)
  const sealedSecret = await ctx.secretBox.seal(secret)
  const [changed] = await ctx.store.commit((write) => [
    write
      .update(webhooks)
      .set({ sealedSecret })
      .where(eq(webhooks.id, id))
      .returning({ id: webhooks.id }),
  ])
  if (changed.length === 0) throw webhookNotFound(id)
  ctx.logger.info('A webhook has another secret.', { webhookId: id })
  return { webhook: await getWebhook(ctx, id), secret }
}
