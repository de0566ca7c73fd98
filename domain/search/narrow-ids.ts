import { and, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { preparedPer } from '../prepared.ts'
import { type Condition, conjuncts } from './condition.ts'
import { conditionSql, type ConditionSql } from './condition-sql.ts'

/** More contents than this are no short list. */
const IDS_MAX = 2_000

/** Whether the condition names the few messages that it can hold for. */
export const namesMessages = (condition: Condition): boolean =>
  conjuncts(condition).some(
    ({ kind, ...part }) =>
      kind === 'message_id' || ('column' in part && part.column === 'threadId'),
  )

/**
 * The contents of the messages that a part of the condition holds for, where there is an index of that part and they
 * are few; undefined otherwise.
 */
export async function narrowIds(
  ctx: Needs<'store'>,
  condition: Condition,
): Promise<readonly number[] | undefined> {
  for (const part of conjuncts(condition).toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (rankOf(part) === NO_INDEX) break
    const sqlOfPart = conditionSql(part, { isSought: true })
    const rows = await idsQuery(ctx.store.longRead, sqlOfPart).values(sqlOfPart.values)
    if (rows.length <= IDS_MAX) return [...new Set(rows.map((row) => Number(row[0])))]
  }
  return undefined
}

const NO_INDEX = 5

/** Parts that have an index, those first that hold for the fewest messages as a rule. */
function rankOf(part: Condition): number {
  if (part.kind === 'message_id') return 0
  if (part.kind === 'among')
    return part.column === 'threadId' ? 1 : part.column === 'folderId' ? 4 : NO_INDEX
  if (part.kind === 'labels') return 2
  const isFlag = part.kind === 'flag' && part.flag === 'starred'
  const isNoFlag = part.kind === 'not' && part.of.kind === 'flag' && part.of.flag === 'read'
  return isFlag || isNoFlag ? 3 : NO_INDEX
}

const idsQuery = preparedPer(
  ({ shape }: ConditionSql) => shape,
  (read: Reader, part) =>
    read
      .select({ id: messages.contentId })
      .from(messages)
      // The indexes of flags are by folder.
      .where(
        and(part.build(read), sql`${messages.folderId} in (select ${folders.id} from ${folders})`),
      )
      .limit(IDS_MAX + 1)
      .prepare(),
)
