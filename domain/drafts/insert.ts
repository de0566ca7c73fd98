import type { Tx } from '../../db/client.ts'
import { drafts } from '../../db/schema/drafts.ts'
import { attach, type StoredAttachment } from '../submission/attachment-data.ts'
import { newDraftMessageId } from './message-id.ts'
import { publishTime } from './publish-time.ts'

/** A draft to be stored; what is absent is empty. */
export type NewDraft = Partial<typeof drafts.$inferInsert> & {
  readonly attachments?: readonly StoredAttachment[] | undefined
}

/** Stores a draft, to be published when nobody has written for a while; returns its id. `nowMs` is milliseconds UTC. */
export async function insertDraft(
  tx: Tx,
  { attachments = [], ...given }: NewDraft,
  nowMs: number,
): Promise<number> {
  const toBePublished = {
    unpublishedSince: nowMs,
    publishDueAt: given.accountId == null ? null : publishTime(nowMs, nowMs),
  }
  const [row] = await tx
    .insert(drafts)
    .values({
      kind: 'new',
      to: '',
      cc: '',
      bcc: '',
      subject: '',
      body: '',
      mode: 'plain',
      messageIdHeader: newDraftMessageId(),
      updatedAt: nowMs,
      ...toBePublished,
      ...given,
    })
    .returning({ id: drafts.id })
  if (!row) throw new Error('The new draft was not stored.')
  await attach(tx, { draftId: row.id }, attachments)
  return row.id
}
