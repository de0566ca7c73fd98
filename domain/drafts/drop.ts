import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { outgoingAttachments } from '../../db/schema/attachment-data.ts'
import { drafts } from '../../db/schema/drafts.ts'
import { leftBehind } from '../../db/schema/left-behind.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { queueMailboxChanges } from '../mailbox-changes/queue.ts'
import { removeOrphanedContents } from '../sync/orphaned-contents.ts'
import type { Unit } from '../unit-of-work.ts'
import type { Draft } from './draft-record.ts'

/**
 * Takes a draft away, and its copy on the server: expunged, not moved to Trash, for it was sent or thrown away here.
 * While a copy may still be on its way there, an invisible row stays by which that is found. `nowMs` is milliseconds UTC.
 */
export async function dropDraft(unit: Unit, draft: Draft, nowMs: number): Promise<void> {
  const { tx } = unit
  const { isOnTheWay } = await dropCopies(unit, draft, nowMs)
  if (!isOnTheWay) {
    await tx.delete(drafts).where(eq(drafts.id, draft.id))
    return
  }
  await tx.delete(outgoingAttachments).where(eq(outgoingAttachments.draftId, draft.id))
  await tx
    .update(drafts)
    .set({
      ...removed(nowMs),
      // Nothing of it is to stay there, so nothing counts as published.
      publishedRevision: null,
      appendingRevision: draft.appendingRevision ?? draft.publishedRevision,
    })
    .where(eq(drafts.id, draft.id))
}

/** What is left of a draft while its copy may still come up on the server. */
export const removed = (nowMs: number) => ({
  to: '',
  cc: '',
  bcc: '',
  subject: '',
  body: '',
  removedAt: nowMs,
  publishDueAt: nowMs,
})

/** Takes away the copies of a draft that are known; whether there may be one that is not. */
export async function dropCopies(
  unit: Unit,
  draft: Draft,
  nowMs: number,
): Promise<{ readonly isOnTheWay: boolean }> {
  const { tx, emit } = unit
  const copies = await tx.select().from(messages).where(eq(messages.draftId, draft.id))
  await emit(copies.map(({ id }) => ({ kind: 'message.deleted', messageId: id })))
  const ids = copies.map(({ id }) => id)
  await tx.delete(mailboxChanges).where(inArray(mailboxChanges.messageId, ids))
  await tx.delete(messages).where(inArray(messages.id, ids))
  for (const copy of copies) await expungeLater(tx, copy, nowMs)
  await removeOrphanedContents(
    tx,
    copies.map(({ contentId }) => contentId),
  )
  return {
    isOnTheWay: draft.appendingRevision !== null || copies.some(({ uid }) => uid === null),
  }
}

type Copy = Pick<
  typeof messages.$inferSelect,
  'accountId' | 'serverFolderId' | 'uid' | 'uidValidity'
>

/** Has the server remove what it has at this place, and no sync show it again meanwhile. */
export async function expungeLater(
  tx: Tx,
  { accountId, serverFolderId: folderId, uid, uidValidity }: Copy,
  nowMs: number,
): Promise<void> {
  if (folderId === null || uid === null || uidValidity === null) return
  await tx.insert(leftBehind).values({ folderId, uid }).onConflictDoNothing()
  await queueMailboxChanges(tx, nowMs, [
    { accountId, kind: 'expunge', change: { folderId, uid, uidValidity, isForGood: true } },
  ])
}
