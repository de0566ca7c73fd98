import { and, eq, lt } from 'drizzle-orm'
import { idempotencyKeys } from '../../db/schema/idempotency-keys.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { KEY_KEPT_MS } from './bind.ts'

/** Few enough that the transaction stays under 20 ms. */
const ROWS_PER_TRANSACTION = 200

/** Forgets idempotency keys that are older than a day (spec section 4). */
export async function pruneIdempotencyKeys({
  store,
  clock,
}: Needs<'store' | 'clock'>): Promise<void> {
  const isOld = lt(idempotencyKeys.createdAt, clock.now().getTime() - KEY_KEPT_MS)
  for (;;) {
    const old = await store.read
      .select({
        tokenId: idempotencyKeys.tokenId,
        route: idempotencyKeys.route,
        key: idempotencyKeys.key,
      })
      .from(idempotencyKeys)
      .where(isOld)
      .limit(ROWS_PER_TRANSACTION)
    if (old.length === 0) return
    await store.transaction(async (tx) => {
      for (const { tokenId, route, key } of old)
        await tx
          .delete(idempotencyKeys)
          .where(
            and(
              isOld,
              eq(idempotencyKeys.tokenId, tokenId),
              eq(idempotencyKeys.route, route),
              eq(idempotencyKeys.key, key),
            ),
          )
    })
  }
}
