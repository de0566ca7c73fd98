import { and, eq, gt, isNull } from 'drizzle-orm'
import { drafts } from '../../db/schema/drafts.ts'
import { filters } from '../../db/schema/filters.ts'
import { idempotencyKeys } from '../../db/schema/idempotency-keys.ts'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { DomainError } from '../errors.ts'
import { awaitOutcome, settledOutcome } from '../submission/outcome.ts'
import { type Answer, isOfKey } from './answer.ts'
import { type Bound, type IdempotencyKey, KEY_KEPT_MS } from './bind.ts'

/** What a request with a key is. */
export type Standing =
  /** The first, or the first of which anything can come: to be carried out. */
  | { readonly kind: 'new'; readonly replaces?: Bound }
  /** A repeat, whose answer is known. */
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** A repeat of one that succeeded and did not live to keep its answer, which its row still gives. */
  | { readonly kind: 'done'; readonly bound: Bound }

/**
 * What a request with this key is to do (contract section 4). Waits while an earlier one is being sent, and shares its
 * failure; throws the same as that did when nobody knows whether it was sent.
 */
export async function standingOf(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  key: IdempotencyKey,
): Promise<Standing> {
  const [row] = await ctx.store.read
    .select()
    .from(idempotencyKeys)
    .where(
      and(isOfKey(key), gt(idempotencyKeys.createdAt, ctx.clock.now().getTime() - KEY_KEPT_MS)),
    )
  if (!row) return { kind: 'new' }
  const { kind, entityId, answerStatus, answerBody } = row
  if (answerStatus !== null) {
    return { kind: 'answered', answer: { status: answerStatus, body: answerBody ?? '' } }
  }
  const bound = { kind, entityId }
  const isDone = kind === 'outbox' ? await isSent(ctx, entityId) : await isThere(ctx, bound)
  return isDone ? { kind: 'done', bound } : { kind: 'new', replaces: bound }
}

/** Whether a message was sent, or is to be sent later; false when nothing of it was handed over. */
async function isSent(ctx: Needs<'store' | 'clock' | 'wake'>, id: number): Promise<boolean> {
  const [entry] = await ctx.store.read
    .select({ isImmediate: outbox.isImmediate, status: outbox.status, failure: outbox.failure })
    .from(outbox)
    .where(eq(outbox.id, id))
  if (entry && !entry.isImmediate) return true
  if (entry?.status === 'cancelled') return false
  if (entry?.status === 'failed' && entry.failure !== 'unknown') return false
  const outcome = (await settledOutcome(ctx, id)) ?? (await awaitOutcome(ctx, id))
  if (outcome instanceof DomainError) throw outcome
  return true
}

async function isThere({ store }: Needs<'store'>, { kind, entityId: id }: Bound): Promise<boolean> {
  const rows =
    kind === 'draft'
      ? await store.read
          .select({ id: drafts.id })
          .from(drafts)
          .where(and(eq(drafts.id, id), isNull(drafts.removedAt)))
      : await store.read.select({ id: filters.id }).from(filters).where(eq(filters.id, id))
  return rows.length > 0
}
