import { and, eq, isNull } from 'drizzle-orm'
import { idempotencyKeys } from '../../db/schema/idempotency-keys.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { IdempotencyKey } from './bind.ts'

/** The answer to a request that succeeded, as it went out. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** Whether a row is the one of this key. */
export const isOfKey = ({ tokenId, route, key }: IdempotencyKey) =>
  and(
    eq(idempotencyKeys.tokenId, tokenId),
    eq(idempotencyKeys.route, route),
    eq(idempotencyKeys.key, key),
  )

/** Keeps the answer for repeats. The first is kept; if a crash loses it, the row that the key is bound to says the same. */
export async function keepAnswer(
  { store }: Needs<'store'>,
  key: IdempotencyKey,
  { status, body }: Answer,
): Promise<void> {
  await store.transaction((tx) =>
    tx
      .update(idempotencyKeys)
      .set({ answerStatus: status, answerBody: body })
      .where(and(isOfKey(key), isNull(idempotencyKeys.answerStatus))),
  )
}
