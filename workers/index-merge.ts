import { countMessages } from '../domain/folders/count-messages.ts'
import { beginMerge, isIndexScattered, mergeNext } from '../domain/search/merge-index.ts'
import { contentsToIndex } from '../domain/search/rebuild-index.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

const LOOK_EVERY_MS = 60_000
/** Between two steps, so that the sync and whoever searches hardly feel it. */
const STEPS_APART_MS = 20
/** An index that grows faster between two looks is being filled: merging it would only be more work. */
const GROWTH_AT_REST = 0.02
/** With so much more mail than at the last merge it may be worth another. */
const GROWTH_TO_MERGE = 0.1

/**
 * Merges the segments of the search index once a first sync, a rebuild or much new mail has left many of them, and the
 * index rests, until `signal` aborts.
 */
export async function mergeIndex(
  ctx: Needs<'store' | 'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  let countBefore = 0
  let countMerged = 0
  while (!signal.aborted) {
    try {
      const count = await countMessages(ctx)
      const isRebuilt = (await contentsToIndex(ctx)) > 0
      const isAtRest = !isRebuilt && count <= countBefore * (1 + GROWTH_AT_REST)
      if (isRebuilt) countMerged = 0
      countBefore = count
      if (isAtRest && count > countMerged * (1 + GROWTH_TO_MERGE)) {
        await mergeScattered(ctx, signal)
        countMerged = count
      }
    } catch (error) {
      ctx.logger.error('The search index could not be merged.', error)
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, signal)
  }
}

async function mergeScattered(
  ctx: Needs<'store' | 'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isIndexScattered(ctx))) return
  let isMore = await beginMerge(ctx)
  while (isMore && !signal.aborted) {
    await ctx.clock.sleep(STEPS_APART_MS, signal)
    isMore = await mergeNext(ctx)
  }
  if (!isMore) ctx.logger.debug('The search index is merged.')
}
