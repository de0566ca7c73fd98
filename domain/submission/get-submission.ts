import { eq } from 'drizzle-orm'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'
import type { Submission } from './submit.ts'

/** What was said of a message when it was sent, or put off, made of its entry once more. Throws `not_found`. */
export async function getSubmission(
  { store }: Needs<'store'>,
  outboxId: number,
): Promise<Submission> {
  const [entry] = await store.read
    .select({
      isImmediate: outbox.isImmediate,
      sendAt: outbox.sendAt,
      messageIdHeader: outbox.messageIdHeader,
      refused: outbox.refused,
    })
    .from(outbox)
    .where(eq(outbox.id, outboxId))
  if (!entry) throw notFound('outbox entry', outboxId)
  const { messageIdHeader, refused, sendAt } = entry
  return entry.isImmediate
    ? { kind: 'sent', messageIdHeader, refused: refused ?? [] }
    : { kind: 'scheduled', outboxId, sendAt }
}
