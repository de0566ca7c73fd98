import { lte, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { idempotencyKeys } from '../../db/schema/idempotency-keys.ts'

/** What a client calls one request of its own, whose repeats must not be carried out again. */
export interface IdempotencyKey {
  readonly tokenId: number
  /** The method and the concrete path. */
  readonly route: string
  readonly key: string
}

/** A key to be bound to what a request creates. */
export interface Binding extends IdempotencyKey {
  /** What it was bound to before, and of which nothing came. */
  readonly replaces?: Bound | undefined
}

/** The row that a key is bound to. */
export interface Bound {
  readonly kind: (typeof idempotencyKeys.$inferSelect)['kind']
  readonly entityId: number
}

/** How long a key is kept (spec section 8). */
export const KEY_KEPT_MS = 24 * 3_600_000

/** Another request with the same key has come first: nothing may be stored. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken'
}

/**
 * Binds the key of a request, if it has one, to what it creates, in the transaction that creates it. Throws `KeyTaken`,
 * and the transaction must end with it.
 */
export async function bindKey(
  tx: Tx,
  binding: Binding | undefined,
  { kind, entityId, nowMs }: Bound & { readonly nowMs: number },
): Promise<void> {
  if (!binding) return
  const { tokenId, route, key, replaces } = binding
  const bound = { kind, entityId, answerStatus: null, answerBody: null, createdAt: nowMs }
  const isForgotten = lte(idempotencyKeys.createdAt, nowMs - KEY_KEPT_MS)
  const rows = await tx
    .insert(idempotencyKeys)
    .values({ tokenId, route, key, ...bound })
    .onConflictDoUpdate({
      target: [idempotencyKeys.tokenId, idempotencyKeys.route, idempotencyKeys.key],
      set: bound,
      setWhere: replaces ? sql`${isForgotten} or ${isBoundTo(replaces)}` : isForgotten,
    })
    .returning({ entityId: idempotencyKeys.entityId })
  if (rows.length === 0) throw new KeyTaken('Another request with this key came first.')
}

const isBoundTo = ({ kind, entityId }: Bound) =>
  sql`(${idempotencyKeys.kind} = ${kind} and ${idempotencyKeys.entityId} = ${entityId})`
