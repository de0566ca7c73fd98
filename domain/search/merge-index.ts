import { count, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { searchIndexCommands, searchIndexPages } from '../../db/search-index.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** Written in a transaction, so that it takes a few milliseconds. */
const PAGES_AT_ONCE = 16
/** The engine itself leaves no more of a size than these. */
const SEGMENTS_MIN = 4
/** Of all pages, those outside of the largest segment that are worth writing all of them again. */
const SCATTERED_SHARE = 0.2

/**
 * Whether the search index lies in so many segments (FTS5) that searches, which read in each of them, would be
 * noticeably faster in one. It takes a look at all of it.
 */
export async function isIndexScattered({ store }: Needs<'store'>): Promise<boolean> {
  const segments = await store.longRead
    .select({ pages: count() })
    .from(searchIndexPages)
    .groupBy(searchIndexPages.segment)
  const sizes = segments.map(({ pages }) => pages)
  const pages = sizes.reduce((sum, size) => sum + size, 0)
  const scattered = pages - Math.max(0, ...sizes)
  return sizes.length > SEGMENTS_MIN && scattered > pages * SCATTERED_SHARE
}

/** Begins to merge all segments into one. Where that is under way already, it goes on. */
export const beginMerge = (ctx: Needs<'store'>): Promise<boolean> => merge(ctx, -PAGES_AT_ONCE)

/** Merges a few pages more; false when there is nothing left to merge. What is cut off goes on later. */
export const mergeNext = (ctx: Needs<'store'>): Promise<boolean> => merge(ctx, PAGES_AT_ONCE)

/** Fewer than two rows change where nothing is merged (FTS5, "The 'merge' Command"). */
const merge = ({ store }: Needs<'store'>, pages: number): Promise<boolean> =>
  store.transaction(async (tx) => {
    const before = await changesSoFar(tx)
    await tx.insert(searchIndexCommands).values({ command: 'merge', rank: pages })
    return (await changesSoFar(tx)) - before >= 2
  })

async function changesSoFar(tx: Tx): Promise<number> {
  const [row] = await tx.select({ changes: sql<number>`total_changes()` }).from(sql`(select 1)`)
  return row?.changes ?? 0
}
