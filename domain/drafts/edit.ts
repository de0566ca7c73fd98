import { eq } from 'drizzle-orm'
import { drafts } from '../../db/schema/drafts.ts'
import { attach, type StoredAttachment } from '../submission/attachment-data.ts'
import type { Unit } from '../unit-of-work.ts'
import type { Draft } from './draft-record.ts'
import { dropCopies, removed } from './drop.ts'
import { newDraftMessageId } from './message-id.ts'
import { publishTime } from './publish-time.ts'

/** What becomes of a draft; what is absent stays as it is. */
export interface DraftEdit {
  readonly fields: Partial<
    Pick<Draft, 'to' | 'cc' | 'bcc' | 'subject' | 'body' | 'mode' | 'accountId'>
  >
  readonly attachments?: readonly StoredAttachment[] | undefined
}

/** Changes a draft, to be published when nobody has written for a while. `nowMs` is milliseconds UTC. */
export async function editDraft(
  unit: Unit,
  draft: Draft,
  { fields, attachments, nowMs }: DraftEdit & { readonly nowMs: number },
): Promise<void> {
  const { tx } = unit
  const accountId = fields.accountId === undefined ? draft.accountId : fields.accountId
  const moved = accountId === draft.accountId ? {} : await leaveAccount(unit, draft, nowMs)
  if (attachments) await attach(tx, { draftId: draft.id }, attachments)
  const unpublishedSince = draft.unpublishedSince ?? nowMs
  await tx
    .update(drafts)
    .set({
      ...fields,
      ...moved,
      revision: draft.revision + 1,
      updatedAt: nowMs,
      unpublishedSince,
      publishDueAt: accountId === null ? null : publishTime(nowMs, unpublishedSince),
      publishAttempts: 0,
      publishError: null,
    })
    .where(eq(drafts.id, draft.id))
}

/** Takes the copies of a draft away from its account; one that may still be on its way there is left to be found. */
async function leaveAccount(unit: Unit, draft: Draft, nowMs: number) {
  const { isOnTheWay } = await dropCopies(unit, draft, nowMs)
  // An alias of that account is nobody at another.
  const left = {
    from: null,
    publishedRevision: null,
    appendingRevision: null,
    copyMissedAt: null,
  }
  if (!isOnTheWay) return left
  const messageIdHeader = newDraftMessageId()
  await unit.tx.update(drafts).set({ messageIdHeader }).where(eq(drafts.id, draft.id))
  const { accountId, kind, mode, revision, publishedRevision, updatedAt } = draft
  await unit.tx.insert(drafts).values({
    accountId,
    kind,
    mode,
    revision,
    updatedAt,
    ...removed(nowMs),
    messageIdHeader: draft.messageIdHeader,
    appendingRevision: draft.appendingRevision ?? publishedRevision,
  })
  return left
}
