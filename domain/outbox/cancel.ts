import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import type { OutboxEntry } from './entry.ts'
import { getOutboxEntry } from './get.ts'
import { cancelUnclaimed } from './unclaimed.ts'

/** Cancels an entry: it is never sent. Throws `not_found`, and `invalid_request` once it is too late for that. */
export async function cancelOutboxEntry(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  { id }: { readonly id: number },
): Promise<OutboxEntry> {
  await getOutboxEntry(ctx, id)
  const isCancelled = await cancelUnclaimed(ctx, id)
  const entry = await getOutboxEntry(ctx, id)
  if (!isCancelled) throw tooLate(entry, 'cancelled')
  ctx.wake.now('outcomes')
  ctx.wake.now('changes')
  return entry
}

/** Why an entry cannot be changed any more. */
export const tooLate = ({ status }: OutboxEntry, change: 'cancelled' | 'put off') =>
  invalidRequest(`It cannot be ${change} any more: ${REASON[status]}.`)

const REASON: Readonly<Record<OutboxEntry['status'], string>> = {
  scheduled: 'it is being sent now',
  sending: 'it is being sent now',
  sent: 'it was sent',
  failed: 'it has failed',
  cancelled: 'it was cancelled',
}
