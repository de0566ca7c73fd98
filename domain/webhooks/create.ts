import { count } from 'drizzle-orm'
import { webhooks } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import { checkedUrl } from './checked-url.ts'
import { knownEvents } from './event-names.ts'
import { getWebhook } from './get.ts'
import { secretOf } from './secret.ts'
import type { WebhookWithSecret } from './webhook-record.ts'

const WEBHOOKS_MAX = 1_000

export interface CreateWebhook {
  readonly url: string
  /** Names that are not known are dropped. */
  readonly events: readonly string[]
  readonly active?: boolean | undefined
}

/** Creates an endpoint with a new secret. Throws `invalid_request` for a URL that cannot be that of a receiver. */
export async function createWebhook(
  ctx: Needs<'store' | 'clock' | 'secretBox' | 'config' | 'logger'>,
  { url, events, active = true }: CreateWebhook,
): Promise<WebhookWithSecret> {
  const secret = secretOf(undefined)
  const values = {
    url: checkedUrl(url, ctx.config),
    events: knownEvents(events),
    active,
    sealedSecret: await ctx.secretBox.seal(secret),
    createdAt: ctx.clock.now().getTime(),
  }
  await refuseTooMany(ctx)
  const [[row]] = await ctx.store.commit((write) => [
    write.insert(webhooks).values(values).returning({ id: webhooks.id }),
  ])
  if (!row) throw new Error('The new webhook was not stored.')
  ctx.logger.info('A webhook was created.', { webhookId: row.id })
  return { webhook: await getWebhook(ctx, row.id), secret }
}

async function refuseTooMany({ store }: Needs<'store'>): Promise<void> {
  const [row] = await store.read.select({ total: count() }).from(webhooks)
  if ((row?.total ?? 0) >= WEBHOOKS_MAX) {
    throw invalidRequest(`There are ${WEBHOOKS_MAX} webhooks already, which is all there can be.`)
  }
}
