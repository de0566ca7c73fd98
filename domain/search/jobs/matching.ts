import { desc, inArray } from 'drizzle-orm'
import { messages } from '../../../db/schema/messages.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import type { SearchExpression } from '../expression.ts'

interface Matching {
  readonly expression: SearchExpression
  /** Only what these folders show. */
  readonly folderIds: readonly number[]
  readonly limit: number
}

/** The ids of the stored messages that the expression means, newest first. */
export async function matchingMessages(
  { store }: Needs<'store'>,
  { folderIds, limit }: Matching,
): Promise<readonly number[]> {
  const rows = await store.read
    .select({ id: messages.id })
    .from(messages)
    .where(inArray(messages.folderId, [...folderIds]))
    .orderBy(desc(messages.date), desc(messages.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}
