import { count, desc, eq, inArray } from 'drizzle-orm'
import { webhookDeliveries } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

type Status = (typeof webhookDeliveries.$inferSelect)['status']

/** How the deliveries of an endpoint stand, counted over the rows that are kept (spec section 2). */
export interface WebhookStats {
  readonly total: number
  /** 0 to 100; absent until something is settled. */
  readonly successRate?: number
  readonly failing: number
  readonly pending: number
  /** The three of the newest delivery. */
  readonly lastDeliveryAt?: number
  readonly lastStatus?: Status
  readonly lastStatusCode?: number
}

/** The stats of these endpoints, by id. */
export async function statsOf(
  { store }: Needs<'store'>,
  webhookIds: readonly number[],
): Promise<ReadonlyMap<number, WebhookStats>> {
  const { webhookId, status } = webhookDeliveries
  const counted = await store.read
    .select({ webhookId, status, rows: count() })
    .from(webhookDeliveries)
    .where(inArray(webhookId, [...webhookIds]))
    .groupBy(webhookId, status)
  const counts = Map.groupBy(counted, (group) => group.webhookId)
  const stats = webhookIds.map(async (id) => {
    const groups = counts.get(id) ?? []
    return [id, { ...sums(groups), ...(groups.length > 0 && (await newest(store, id))) }] as const
  })
  return new Map(await Promise.all(stats))
}

function sums(groups: readonly { readonly status: Status; readonly rows: number }[]) {
  const of = (status: Status) => groups.find((group) => group.status === status)?.rows ?? 0
  const settled = of('ok') + of('dead')
  return {
    total: settled + of('pending') + of('failed'),
    failing: of('failed') + of('dead'),
    pending: of('pending'),
    ...(settled > 0 && { successRate: (100 * of('ok')) / settled }),
  }
}

async function newest(store: Needs<'store'>['store'], webhookId: number) {
  const [row] = await store.read
    .select({
      lastDeliveryAt: webhookDeliveries.createdAt,
      lastStatus: webhookDeliveries.status,
      lastStatusCode: webhookDeliveries.lastStatusCode,
    })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhookId))
    .orderBy(desc(webhookDeliveries.id))
    .limit(1)
  if (!row) return {}
  const { lastStatusCode, ...always } = row
  return { ...always, ...(lastStatusCode !== null && { lastStatusCode }) }
}
