import { and, eq, inArray, not } from 'drizzle-orm'
import { contents } from '../../db/schema/contents.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { searchRowid } from '../search/search-rowid.ts'
import { contentPage, isWanted, strictestLimitMs } from './age-limit.ts'

/** Few enough that the transaction stays under 20 ms. */
const SOURCES_AT_ONCE = 100

/**
 * Removes the sources that are too old for every account that has them; returns how many. Text, headers and the
 * search stay. Can be cut off anywhere, by `signal` too, and run again.
 */
export async function dropOldSources(
  ctx: Needs<'store' | 'sourceStore' | 'clock'>,
  signal: AbortSignal,
): Promise<number> {
  const nowMs = ctx.clock.now().getTime()
  const limitMs = await strictestLimitMs(ctx, nowMs)
  if (limitMs === undefined) return 0
  let dropped = 0
  let below = searchRowid(limitMs, 'ffff') + 1
  while (!signal.aborted) {
    const page = await contentPage(ctx, { kept: true, nowMs, below })
    const last = page.at(-1)
    if (!last) break
    below = last.id
    const old = page.filter((content) => !content.isWanted)
    for (let start = 0; start < old.length && !signal.aborted; start += SOURCES_AT_ONCE) {
      dropped += await drop(ctx, old.slice(start, start + SOURCES_AT_ONCE), nowMs)
    }
  }
  return dropped
}

/** The store is told first: it never says of a source that it is kept while it is not. */
async function drop(
  ctx: Needs<'store' | 'sourceStore'>,
  old: readonly { readonly id: number }[],
  nowMs: number,
): Promise<number> {
  const ids = old.map(({ id }) => id)
  // A message that came meanwhile may want it.
  const dropped = await ctx.store.transaction((tx) =>
    tx
      .update(contents)
      .set({ sourceKept: false })
      .where(and(inArray(contents.id, ids), not(isWanted(tx, nowMs))))
      .returning({ id: contents.id, sourceHash: contents.sourceHash }),
  )
  for (const { sourceHash } of dropped) await ctx.sourceStore.delete(sourceHash)
  await correct(
    ctx,
    dropped.map(({ id }) => id),
  )
  return dropped.length
}

/** Some may have come in again just before they went: they are missing, then. */
async function correct({ store }: Needs<'store'>, ids: readonly number[]): Promise<void> {
  const areKept = and(inArray(contents.id, [...ids]), eq(contents.sourceKept, true))
  const kept = await store.read.select({ id: contents.id }).from(contents).where(areKept)
  if (kept.length === 0) return
  await store.transaction((tx) => tx.update(contents).set({ sourceKept: false }).where(areKept))
}
