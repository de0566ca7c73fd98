import type { Needs } from '../../../runtime/ports/runtime.ts'
import { decodeCursor } from '../../paging.ts'
import { every } from '../condition.ts'
import type { SearchExpression } from '../expression.ts'
import { findMessages } from '../find-messages.ts'
import { planSearch } from '../plan-search.ts'
import { readSearchNames } from '../resolve-names.ts'
import { toCondition } from '../to-condition.ts'

const BOUNDS = { slice: 2_048, lookedAtMax: 100_000 }

interface Matching {
  readonly expression: SearchExpression
  /** Only what these folders show. */
  readonly folderIds: readonly number[]
  readonly limit: number
}

/** The ids of the stored messages that the expression means, the newest. */
export async function matchingMessages(
  ctx: Needs<'store' | 'clock'>,
  { expression, folderIds, limit }: Matching,
): Promise<readonly number[]> {
  if (folderIds.length === 0) return []
  // Only now: what was just stored may have brought labels that nothing had.
  const names = await readSearchNames(ctx, expression, () => {})
  const shown = { kind: 'among', column: 'folderId', values: folderIds } as const
  const plan = planSearch(every([shown, toCondition(expression, names)]), { datesAreIds: false })
  const ids: number[] = []
  let cursor: string | undefined
  do {
    const [contentId = 0, messageId = 0] = cursor === undefined ? [] : decodeCursor(cursor, 2)
    const page = await findMessages(ctx, plan, {
      limit: limit - ids.length,
      bounds: BOUNDS,
      ...(cursor !== undefined && { after: { contentId, messageId } }),
    })
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== undefined && ids.length < limit)
  return ids
}
