import { and, eq } from 'drizzle-orm'
import { threadKeys } from '../../../db/schema/threads.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { survivingThread } from '../../threads/survivor.ts'
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
  ctx: Needs<'store'>,
  accountId: number,
  threadId: number,
): Promise<readonly string[]> {
  const survivor = await survivingThread(ctx, threadId)
  if (survivor === undefined) return []
  const rows = await ctx.store.read
    .select({ messageIdHeader: threadKeys.messageIdHeader })
    .from(threadKeys)
    .where(and(eq(threadKeys.threadId, survivor), eq(threadKeys.accountId, accountId)))
    .limit(IDS_MAX)
  return rows.map(({ messageIdHeader }) => messageIdHeader)
}
