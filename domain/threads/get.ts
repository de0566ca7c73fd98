import { and, asc, eq, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { notFound } from '../errors.ts'
import { MESSAGE_COLUMNS, type MessageRow } from '../messages/message-row.ts'
import { decodeCursor, toPage, type Page } from '../paging.ts'
import { survivingThread } from './survivor.ts'

export interface GetThread {
  readonly threadId: number
  readonly limit: number
  readonly cursor?: string | undefined
}

/**
 * The messages of a conversation over all folders of its account, oldest first. A thread that was joined to
 * another answers with the whole of that one. Throws `not_found`, and `invalid_request` for a bad cursor.
 */
export async function getThread(ctx: Needs<'store'>, input: GetThread): Promise<Page<MessageRow>> {
  const [date, id] = input.cursor ? decodeCursor(input.cursor, 2) : []
  const threadId = await survivingThread(ctx, input.threadId)
  if (threadId === undefined) throw notFound('thread', input.threadId)
  const after =
    date === undefined ? undefined : sql`(${messages.date}, ${messages.id}) > (${date}, ${id})`
  const rows = await ctx.store.read
    .select(MESSAGE_COLUMNS)
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(and(eq(messages.threadId, threadId), isNotRemoved, after))
    .orderBy(asc(messages.date), asc(messages.id))
    .limit(input.limit + 1)
  return toPage(rows, input.limit, (row) => [row.date, row.id])
}
