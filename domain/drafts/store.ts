import type { Tx } from '../../db/client.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { bindKey, type Binding } from '../idempotency/bind.ts'
import { discardAttachments } from '../submission/attachment-data.ts'
import type { DraftRecord } from './draft-record.ts'
import { readDraft } from './get.ts'
import { insertDraft, type NewDraft } from './insert.ts'

/** Stores a new draft, and binds the key of its request to it; where that fails, what was to be attached goes. */
export async function storeDraft(
  ctx: Needs<'store' | 'clock'>,
  draft: NewDraft,
  binding: Binding | undefined,
): Promise<DraftRecord> {
  const nowMs = ctx.clock.now().getTime()
  const store = async (tx: Tx) => {
    const id = await insertDraft(tx, draft, nowMs)
    await bindKey(tx, binding, { kind: 'draft', entityId: id, nowMs })
    return readDraft(tx, id)
  }
  return ctx.store.durableTransaction(store).catch(async (error: unknown) => {
    await discardAttachments(ctx, draft.attachments ?? [])
    throw error
  })
}
