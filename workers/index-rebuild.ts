import { rebuildNextOfIndex } from '../domain/search/rebuild-index.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** How soon a rebuild that was asked for is noticed. */
const LOOK_EVERY_MS = 5_000
/** Between two steps, so that the sync and whoever searches hardly feel it. */
const STEPS_APART_MS = 20

/**
 * Goes on with building the search index anew where that is under way, as after an update that changed the index, until
 * `signal` aborts. Several sidecars share the work.
 */
export async function rebuildIndex(
  ctx: Needs<'store' | 'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  let isUnderWay = false
  while (!signal.aborted) {
    try {
      const isAnyDone = (await rebuildNextOfIndex(ctx)) > 0
      if (isAnyDone !== isUnderWay)
        ctx.logger.info(
          isAnyDone ? 'The search index is being built anew.' : 'The search index is whole.',
        )
      isUnderWay = isAnyDone
    } catch (error) {
      isUnderWay = false
      ctx.logger.error('The search index could not be built further.', error)
    }
    await ctx.clock.sleep(isUnderWay ? STEPS_APART_MS : LOOK_EVERY_MS, signal)
  }
}
