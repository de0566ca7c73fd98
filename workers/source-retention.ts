import { ageLimits } from '../domain/sources/age-limit.ts'
import { dropOldSources } from '../domain/sources/drop-old.ts'
import { missingSources } from '../domain/sources/missing.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import type { SourceRefetch } from './source-refetch.ts'

/** How often sources that have grown too old are removed. */
const LOOK_AGAIN_MS = 6 * 60 * 60_000
/** The same where some that are wanted could not be had. */
const RETRY_MS = 30 * 60_000
/** How soon a changed limit is noticed. */
const NOTICED_WITHIN_MS = 5_000
/** Between two sources that are fetched again, so that servers and the sync hardly feel it. */
const FETCH_EVERY_MS = 50
/** After so many in a row that could not be had, the next ones wait: their server may be away. */
const FAILURES_MAX = 10
const FAILURES_PAUSE_MS = 5 * 60_000

type Ctx = Needs<'store' | 'sourceStore' | 'clock' | 'logger'>

/**
 * Keeps the sources as far back as their accounts say, until `signal` aborts: removes what has grown too old, and
 * fetches again, newest first, what a raised limit wants back. Both can be cut off anywhere and go on.
 */
export async function retainSources(
  ctx: Ctx,
  refetch: SourceRefetch,
  signal: AbortSignal,
): Promise<void> {
  let done: { readonly limits: string; readonly untilMs: number } | undefined
  while (!signal.aborted) {
    try {
      const limits = await ageLimits(ctx)
      const nowMs = ctx.clock.now().getTime()
      if (limits !== done?.limits || nowMs >= done.untilMs) {
        await dropOldSources(ctx, signal)
        const isCurrent = async () => (await ageLimits(ctx)) === limits
        const isWhole = await restoreMissing(ctx, refetch, { isCurrent, signal })
        done = { limits, untilMs: nowMs + (isWhole ? LOOK_AGAIN_MS : RETRY_MS) }
      }
    } catch (error) {
      ctx.logger.error('The age of the sources could not be looked at.', error)
    }
    await ctx.clock.sleep(NOTICED_WITHIN_MS, signal)
  }
}

interface While {
  /** Whether the limits are still those that it began with. */
  readonly isCurrent: () => Promise<boolean>
  readonly signal: AbortSignal
}

/** Whether all that is wanted is kept now. */
async function restoreMissing(
  ctx: Ctx,
  refetch: SourceRefetch,
  { isCurrent, signal }: While,
): Promise<boolean> {
  let inARow = 0
  let isWhole = true
  let below: number | undefined
  do {
    const page = await missingSources(ctx, below)
    for (const hash of page.hashes) {
      if (signal.aborted || !(await isCurrent())) return false
      const isBack = (await refetch.get(hash)) !== undefined
      isWhole &&= isBack
      inARow = isBack ? 0 : inARow + 1
      const isAway = inARow > 0 && inARow % FAILURES_MAX === 0
      await ctx.clock.sleep(isAway ? FAILURES_PAUSE_MS : FETCH_EVERY_MS, signal)
    }
    below = page.below
  } while (below !== undefined && !signal.aborted)
  return isWhole
}
