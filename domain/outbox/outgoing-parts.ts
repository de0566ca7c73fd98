import type { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { OutgoingParts } from '../../runtime/ports/submission.ts'
import { readAttachments } from '../submission/attachment-data.ts'

/** Everything that the source of an entry is made of: for its recipients and for its copy in Sent alike. */
export async function outgoingParts(
  ctx: Needs<'store'>,
  {
    id,
    message,
    messageIdHeader,
    date,
  }: Pick<typeof outbox.$inferSelect, 'id' | 'message' | 'messageIdHeader' | 'date'>,
): Promise<OutgoingParts> {
  const attachments = await readAttachments(ctx, { outboxId: id })
  return { message, messageIdHeader, dateMs: date, attachments }
}
