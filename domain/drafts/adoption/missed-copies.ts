import { and, eq, exists, inArray, isNotNull, isNull, lte, not } from 'drizzle-orm'
import { drafts } from '../../../db/schema/drafts.ts'
import { folders } from '../../../db/schema/folders.ts'
import { messages } from '../../../db/schema/messages.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { type Lease, underLease } from '../../sync/lease.ts'

/** A program that replaces a draft may take the old one away before it puts the new one there. */
const GRACE_MS = 10_000

/**
 * Lets go of the account's drafts whose copies other mail programs have deleted, or moved elsewhere; what was written
 * since it was published is published again instead, by itself.
 */
export async function followDeletions(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  lease: Lease,
): Promise<void> {
  const nowMs = ctx.clock.now().getTime()
  const { read } = ctx.store
  const copy = read
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(folders, eq(folders.id, messages.folderId))
    .where(and(eq(messages.draftId, drafts.id), eq(folders.specialUse, 'drafts')))
  const entry = read
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.draftId, drafts.id), inArray(outbox.status, ['scheduled', 'sending'])))
  const isAtRest = and(
    eq(drafts.accountId, lease.accountId),
    eq(drafts.revision, drafts.publishedRevision),
    isNull(drafts.appendingRevision),
    isNull(drafts.removedAt),
  )
  const isMissed = and(isAtRest, not(exists(copy)), not(exists(entry)))
  const isBack = and(isAtRest, isNotNull(drafts.copyMissedAt), exists(copy))
  const isLongMissed = and(isMissed, lte(drafts.copyMissedAt, nowMs - GRACE_MS))
  const isNews = and(isMissed, isNull(drafts.copyMissedAt))
  const found = await read.select({ id: drafts.id }).from(drafts).where(isNews).limit(1)
  const known = await read
    .select({ id: drafts.id })
    .from(drafts)
    .where(and(eq(drafts.accountId, lease.accountId), isNotNull(drafts.copyMissedAt)))
    .limit(1)
  if (found.length + known.length === 0) return
  const gone = await underLease(ctx, lease, async (tx) => {
    await tx.update(drafts).set({ copyMissedAt: null }).where(isBack)
    await tx.update(drafts).set({ copyMissedAt: nowMs }).where(isNews)
    return tx.delete(drafts).where(isLongMissed).returning({ id: drafts.id })
  })
  if (gone.length > 0) ctx.wake.now('changes')
}
