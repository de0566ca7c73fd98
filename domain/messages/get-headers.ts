import { and, eq, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { contentBodies } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { notFound } from '../errors.ts'
import { prepared } from '../prepared.ts'

const byMessage = prepared((read) =>
  read
    .select({ headersRaw: contentBodies.headersRaw })
    .from(messages)
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .leftJoin(contentBodies, eq(contentBodies.contentId, messages.contentId))
    .where(and(eq(messages.id, sql.placeholder('messageId')), isNotRemoved))
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
