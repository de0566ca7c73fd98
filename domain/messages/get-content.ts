import { and, eq, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { ListedSource } from '../../runtime/ports/source-reader.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { notFound } from '../errors.ts'
import { prepared } from '../prepared.ts'

const byMessage = prepared((read) =>
  read
    .select({
      sourceHash: contents.sourceHash,
      size: contents.size,
      attachments: contents.attachments,
    })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(and(eq(messages.id, sql.placeholder('messageId')), isNotRemoved))
    .prepare(),
)

/** Where a message's source is and what is attached to it. Throws `not_found`. */
export async function getContent(ctx: Needs<'store'>, messageId: number): Promise<ListedSource> {
  const [content] = await byMessage(ctx.store.read).all({ messageId })
  if (!content) throw notFound('message', messageId)
  return content
}
