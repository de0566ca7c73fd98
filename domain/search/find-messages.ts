import type { Needs } from '../../runtime/ports/runtime.ts'
import { MESSAGE_COLUMNS, type MessageRow } from '../messages/message-row.ts'
import { readMessageRows } from '../messages/read-rows.ts'
import { encodeCursor, toPage, type Page } from '../paging.ts'
import { conditionSql } from './condition-sql.ts'
import { narrowIds, namesMessages } from './narrow-ids.ts'
import type { SearchPlan } from './plan-search.ts'
import { boundaryQuery, pageQuery, type SearchShape } from './search-statements.ts'

/** What keeps a search from holding up others. */
export interface SearchBounds {
  /** Contents that are looked at together where matches have to be checked. */
  readonly slice: number
  /** After so many a search stops, and the next page goes on. */
  readonly lookedAtMax: number
}

interface Wanted {
  readonly limit: number
  readonly bounds: SearchBounds
  /** The last message of the page before. */
  readonly after?: { readonly contentId: number; readonly messageId: number } | undefined
}

interface Found {
  readonly row: MessageRow
  readonly contentId: number
}

/** A page of the messages that a plan leads to, newest first by the ids of their contents, then by their own. */
export async function findMessages(
  ctx: Needs<'store' | 'clock'>,
  plan: SearchPlan,
  wanted: Wanted,
): Promise<Page<MessageRow>> {
  const { limit } = wanted
  const finder = finderOf(ctx, plan, wanted)
  const { found, stoppedAt } = await finder.find(limit + 1)
  const page = toPage(found, limit, ({ contentId, row }) => [contentId, row.id])
  const cursor =
    page.nextCursor ?? (stoppedAt === undefined ? undefined : encodeCursor([stoppedAt, 0]))
  return {
    items: page.items.map(({ row }) => row),
    ...(cursor === undefined ? {} : { nextCursor: cursor }),
  }
}

function finderOf(ctx: Needs<'store' | 'clock'>, plan: SearchPlan, { after, bounds }: Wanted) {
  const { longRead: read } = ctx.store
  const cursor = {
    beforeContentId: after?.contentId ?? Number.MAX_SAFE_INTEGER,
    beforeId: after?.messageId ?? Number.MAX_SAFE_INTEGER,
  }
  const source = plan.match === undefined ? 'messages' : 'index'
  const rest = plan.rest && conditionSql(plan.rest)
  const match = plan.match === undefined ? {} : { match: plan.match }
  // The words of a prefix are gathered anew for each slice, which takes longer than all the rest.
  const hasPrefix = plan.match?.includes('*') === true
  const isSliced = rest !== undefined && !hasPrefix
  const slice = isSliced ? bounds.slice : Number.MAX_SAFE_INTEGER
  // To find where a slice of the index ends takes long where matches are rare: only once the page is not full.
  const endsFirst = isSliced && (source === 'messages' || rest.shape.includes('match'))
  const isNarrowAtOnce = namesMessages(plan.condition) || (rest !== undefined && hasPrefix)

  const page = async (shape: SearchShape, values: Record<string, unknown>) => {
    const query = pageQuery(read, shape)
    return foundIn(await query.values({ ...cursor, ...match, ...shape.rest?.values, ...values }))
  }

  /** Where there are few, without a look at others. */
  const among = async (ids: readonly number[], rows: number) => {
    if (ids.length === 0) return []
    const whole = conditionSql(plan.condition)
    const [low, high] = [Math.min(...ids), Math.max(...ids)]
    return page({ source: 'ids', rest: whole }, { ids: JSON.stringify(ids), low, high, rows })
  }

  const sliceEnd = async (high: number): Promise<number> => {
    const values = { ...match, low: plan.low, high, skipped: bounds.slice - 1 }
    const [last] = await boundaryQuery(read, source).all(values)
    return last?.id ?? plan.low
  }

  async function find(rows: number): Promise<{ found: readonly Found[]; stoppedAt?: number }> {
    const named = isNarrowAtOnce ? await narrowIds(ctx, plan.condition) : undefined
    if (named) return { found: await among(named, rows) }
    const found: Found[] = []
    let high = Math.min(plan.high, cursor.beforeContentId)
    for (let lookedAt = bounds.slice; ; lookedAt += bounds.slice) {
      const end = endsFirst ? await sliceEnd(high) : plan.low
      const values = { low: end, high, slice, rows: rows - found.length }
      found.push(...(await page({ source, rest }, values)))
      if (found.length >= rows || !isSliced) return { found }
      const low = endsFirst ? end : await sliceEnd(high)
      if (low <= plan.low) return { found }
      const ids = lookedAt === bounds.slice ? await narrowIds(ctx, plan.condition) : undefined
      const older = ids?.filter((id) => id < low)
      if (older) return { found: [...found, ...(await among(older, rows - found.length))] }
      if (lookedAt >= bounds.lookedAtMax) return { found, stoppedAt: low }
      high = low - 1
    }
  }
  return { find }
}

const CONTENT_ID_AT = Object.keys(MESSAGE_COLUMNS).length

function foundIn(rows: readonly ArrayLike<unknown>[]): readonly Found[] {
  const values = rows.map((row) => JSON.parse(String(row[0])) as readonly unknown[])
  return readMessageRows(values).map((row, index) => ({
    row,
    contentId: Number(values[index]?.[CONTENT_ID_AT]),
  }))
}
