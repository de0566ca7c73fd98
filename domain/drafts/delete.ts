import type { Needs } from '../../runtime/ports/runtime.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { dropDraft } from './drop.ts'
import { readDraft } from './get.ts'
import { refuseWhileSending } from './sending.ts'

/** Deletes a draft, and its copy on the server. Throws `not_found`, and `invalid_request` while it is being sent. */
export async function deleteDraft(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  { id }: { readonly id: number },
): Promise<void> {
  await unitOfWork(ctx, async (unit) => {
    const draft = await readDraft(unit.tx, id)
    await refuseWhileSending(unit.tx, id)
    await dropDraft(unit, draft, ctx.clock.now().getTime())
  })
  ctx.wake.now('mailbox_changes')
  ctx.wake.now('changes')
}
