import { and, exists, eq, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import { outgoingAttachments } from '../../db/schema/attachment-data.ts'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

const KEPT_MS = 90 * 24 * 60 * 60_000
/** Few enough that the transaction stays under 20 ms. */
const ROWS_PER_TRANSACTION = 100

/** Forgets entries that were settled more than 90 days ago, and what is attached to those that nobody renders again. */
export async function pruneOutbox(ctx: Needs<'store' | 'clock'>): Promise<void> {
  while (await forgetAttachments(ctx));
  while (await forgetEntries(ctx));
}

const isSettled = and(
  inArray(outbox.status, ['sent', 'failed', 'cancelled']),
  ne(outbox.copy, 'wanted'),
)

/** Some of what was attached to entries that were withdrawn; whether there was any. */
async function forgetAttachments({ store }: Needs<'store'>): Promise<boolean> {
  const settled = store.read
    .select({ one: sql`1` })
    .from(outbox)
    .where(and(eq(outbox.id, outgoingAttachments.outboxId), isSettled))
  const rows = await store.read
    .select({ id: outgoingAttachments.id })
    .from(outgoingAttachments)
    .where(and(isNotNull(outgoingAttachments.outboxId), exists(settled)))
    .limit(ROWS_PER_TRANSACTION)
  if (rows.length === 0) return false
  const ids = rows.map(({ id }) => id)
  await store.transaction((tx) =>
    tx.delete(outgoingAttachments).where(inArray(outgoingAttachments.id, ids)),
  )
  return true
}

async function forgetEntries({ store, clock }: Needs<'store' | 'clock'>): Promise<boolean> {
  const before = clock.now().getTime() - KEPT_MS
  const rows = await store.read
    .select({ id: outbox.id })
    .from(outbox)
    // The first of the two has an index; what was cancelled may have been meant for much later.
    .where(and(isSettled, lt(outbox.sendAt, before), lt(outbox.settledAt, before)))
    .limit(ROWS_PER_TRANSACTION)
  if (rows.length === 0) return false
  const ids = rows.map(({ id }) => id)
  await store.transaction((tx) => tx.delete(outbox).where(inArray(outbox.id, ids)))
  return true
}
