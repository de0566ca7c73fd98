import type { Needs } from '../../runtime/ports/runtime.ts'
import { pruneSettled } from './keep-within-limits.ts'

/** Few enough that the transaction stays under 20 ms. */
const ENDPOINTS_PER_TRANSACTION = 25

/** Forgets the settled deliveries of these endpoints that are not among the newest of each. */
export async function pruneDeliveries(
  { store }: Needs<'store'>,
  webhookIds: readonly number[],
): Promise<void> {
  for (let from = 0; from < webhookIds.length; from += ENDPOINTS_PER_TRANSACTION) {
    const some = webhookIds.slice(from, from + ENDPOINTS_PER_TRANSACTION)
    await store.transaction(async (tx) => {
      for (const webhookId of some) await pruneSettled(tx, webhookId)
    })
  }
}
