import { eq } from 'drizzle-orm'
import { notices } from '../../db/schema/notices.ts'
import { webhookDeliveries, webhookLanes, webhooks } from '../../db/schema/webhooks.ts'
import { createWebhook, type CreateWebhook } from '../../domain/webhooks/create.ts'
import { newDelivery } from '../../domain/webhooks/queue-deliveries.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

type Ports = Needs<'store' | 'clock' | 'wake' | 'secretBox' | 'config' | 'logger'>

/** Endpoints and their deliveries, as tests make and see them. */
export function webhookRows(ctx: Ports) {
  const { store } = ctx
  return {
    create: async (given: Partial<CreateWebhook> = {}) => {
      const input = { url: 'http://127.0.0.1:9/hook', events: ['sync.error'], ...given }
      const { webhook, secret } = await createWebhook(ctx, input)
      return { id: webhook.id, secret }
    },
    set: (id: number, values: Partial<typeof webhooks.$inferInsert>) =>
      store.commit((write) => [write.update(webhooks).set(values).where(eq(webhooks.id, id))]),
    /** Queues `count` deliveries; returns the ids of their rows. */
    queue: async (
      webhookId: number,
      count = 1,
      row: Partial<typeof webhookDeliveries.$inferInsert> = {},
    ) => {
      const createdAt = ctx.clock.now().getTime()
      const ids: number[] = []
      for (let from = 0; from < count; from += 500) {
        const values = Array.from({ length: Math.min(500, count - from) }, (_, n) => ({
          ...newDelivery(webhookId, { kind: 'sync.error', createdAt, data: { n: from + n } }),
          ...row,
        }))
        const inserted = await store.durableTransaction((tx) =>
          tx.insert(webhookDeliveries).values(values).returning({ id: webhookDeliveries.id }),
        )
        ids.push(...inserted.map(({ id }) => id))
      }
      ctx.wake.now('webhooks')
      return ids
    },
    setDelivery: (id: number, values: Partial<typeof webhookDeliveries.$inferInsert>) =>
      store.commit((write) => [
        write.update(webhookDeliveries).set(values).where(eq(webhookDeliveries.id, id)),
      ]),
    /** As if the sidecars that hold the lanes had not renewed them for long. */
    freeLanes: () => store.commit((write) => [write.update(webhookLanes).set({ expiresAt: 0 })]),
    webhooks: () => store.read.select().from(webhooks).orderBy(webhooks.id),
    deliveries: () => store.read.select().from(webhookDeliveries).orderBy(webhookDeliveries.id),
    notices: () => store.read.select().from(notices).orderBy(notices.id),
  }
}
