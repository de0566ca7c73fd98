import type { Needs } from '../../runtime/ports/runtime.ts'
import { getAccountId } from '../accounts/get-id.ts'
import { ConditionFailed } from '../errors.ts'
import { discardAttachments, storeAttachments } from '../submission/attachment-data.ts'
import type { AttachmentInput } from '../submission/attachment-input.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { checkedFields, type DraftFields } from './checked-fields.ts'
import type { DraftRecord } from './draft-record.ts'
import { editDraft } from './edit.ts'
import { readDraft } from './get.ts'
import { refuseWhileSending } from './sending.ts'

export interface UpdateDraft extends DraftFields {
  readonly id: number
  /** The name of its account; empty for none. */
  readonly account?: string | undefined
  /** All that is then attached. */
  readonly attachments?: readonly AttachmentInput[] | undefined
  /** The revisions that may be changed; absent where it may be any. */
  readonly revisions?: readonly number[] | undefined
}

/**
 * Changes what is present of a draft. Throws `not_found`, `ConditionFailed` where it has another revision by now, and
 * `invalid_request`, also while it is being sent.
 */
export async function updateDraft(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  { id, revisions, account, attachments: given, ...input }: UpdateDraft,
): Promise<DraftRecord> {
  const fields = {
    ...checkedFields(input),
    ...(account !== undefined && {
      accountId: account === '' ? null : await getAccountId(ctx, account),
    }),
  }
  await readDraft(ctx.store.read, id)
  const attachments = given && (await storeAttachments(ctx, given))
  const isEmpty = Object.keys(fields).length === 0 && attachments === undefined
  const changed = await unitOfWork(ctx, async (unit) => {
    const draft = await readDraft(unit.tx, id)
    if (revisions && !revisions.includes(draft.revision))
      throw new ConditionFailed('This draft has been changed meanwhile.')
    await refuseWhileSending(unit.tx, id)
    if (isEmpty) return draft
    await editDraft(unit, draft, { fields, attachments, nowMs: ctx.clock.now().getTime() })
    return readDraft(unit.tx, id)
  }).catch(async (error: unknown) => {
    await discardAttachments(ctx, attachments ?? [])
    throw error
  })
  ctx.wake.now('changes')
  return changed
}
