import { eq, sql } from 'drizzle-orm'
import { contentBodies } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'
import { prepared } from '../prepared.ts'

const byMessage = prepared((read) =>
  read
    .select({ headersRaw: contentBodies.headersRaw })
    .from(messages)
    .leftJoin(contentBodies, eq(contentBodies.contentId, messages.contentId))
    .where(eq(messages.id, sql.placeholder('messageId')))
    .prepare(),
)

/** The header block of a message as received; null when it is not stored. Throws `not_found`. */
export async function getHeaders(
  ctx: Needs<'store'>,
  input: { readonly messageId: number },
): Promise<Uint8Array | null> {
  const [row] = await byMessage(ctx.store.read).all({ messageId: input.messageId })
  if (!row) throw notFound('message', input.messageId)
  return row.headersRaw
}
