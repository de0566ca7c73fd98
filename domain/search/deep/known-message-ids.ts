import { and, eq, inArray } from 'drizzle-orm'
import { threadKeys, threads } from '../../../db/schema/threads.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import type { SearchExpression } from '../expression.ts'

/** More of one conversation no command needs to hold: its messages name each other. */
const IDS_MAX = 20

/** Message-IDs, without angle brackets, of the account's conversations that the expression names. */
export async function knownMessageIds(
  ctx: Needs<'store'>,
  accountId: number,
  expression: SearchExpression,
): Promise<(threadId: number) => readonly string[]> {
  const known = new Map<number, readonly string[]>()
  for (const threadId of new Set(threadsIn(expression)))
    known.set(threadId, await idsOf(ctx, accountId, threadId))
  return (threadId) => known.get(threadId) ?? []
}

function threadsIn(expression: SearchExpression): readonly number[] {
  if (expression.kind === 'and' || expression.kind === 'or') return expression.of.flatMap(threadsIn)
  if (expression.kind === 'not') return threadsIn(expression.of)
  return expression.kind === 'thread' ? [expression.threadId] : []
}

async function idsOf(
  { store }: Needs<'store'>,
  accountId: number,
  threadId: number,
): Promise<readonly string[]> {
  const [thread] = await store.read
    .select({ joinedTo: threads.joinedTo })
    .from(threads)
    .where(and(eq(threads.id, threadId), eq(threads.accountId, accountId)))
  if (!thread) return []
  const rows = await store.read
    .select({ messageIdHeader: threadKeys.messageIdHeader })
    .from(threadKeys)
    .where(inArray(threadKeys.threadId, [threadId, thread.joinedTo ?? threadId]))
    .limit(IDS_MAX)
  return rows.map(({ messageIdHeader }) => messageIdHeader)
}
