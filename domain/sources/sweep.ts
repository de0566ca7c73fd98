import { and, eq, inArray } from 'drizzle-orm'
import { contents } from '../../db/schema/contents.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** Far longer than it takes to name a source that was put. */
const UNNAMED_MS = 60 * 60_000
/** Between two parts, so that nobody feels the sweep. */
const REST_MS = 20

/**
 * Removes the sources that no content keeps, an hour after they were put: what processes leave that end between
 * putting and naming, or between forgetting and removing. Returns how many; ends early when `signal` aborts.
 */
export async function sweepSources(
  ctx: Needs<'store' | 'sourceStore' | 'clock'>,
  signal: AbortSignal,
): Promise<number> {
  const beforeMs = ctx.clock.now().getTime() - UNNAMED_MS
  const named = (hashes: readonly string[]) => keptOf(ctx, hashes)
  let removed = 0
  for await (const count of ctx.sourceStore.sweep({ beforeMs, named })) {
    removed += count
    if (signal.aborted) break
    await ctx.clock.sleep(REST_MS, signal)
  }
  return removed
}

async function keptOf(
  { store }: Needs<'store'>,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await store.read
    .select({ sourceHash: contents.sourceHash })
    .from(contents)
    .where(and(inArray(contents.sourceHash, [...hashes]), eq(contents.sourceKept, true)))
  return new Set(rows.map(({ sourceHash }) => sourceHash))
}
