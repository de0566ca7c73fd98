import { ageLimits } from '../domain/sources/age-limit.ts'
import { dropOldSources } from '../domain/sources/drop-old.ts'
import { missingSources } from '../domain/sources/missing.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import type { SourceRefetch } from './source-refetch.ts'

/** How often sources that have grown too old are removed. */
const DROP_EVERY_MS = 6 * 60 * 60_000
/** How soon a changed limit is noticed. */
const LOOK_EVERY_MS = 5_000
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
  let done: { readonly limits: string; readonly atMs: number } | undefined
  while (!signal.aborted) {
    try {
      const limits = await ageLimits(ctx)
      const nowMs = ctx.clock.now().getTime()
      if (limits !== done?.limits || nowMs >= done.atMs + DROP_EVERY_MS) {
        await dropOldSources(ctx, signal)
        const isCurrent = async () => (await ageLimits(ctx)) === limits
        await restoreMissing(ctx, refetch, { isCurrent, signal })
        done = { limits, atMs: nowMs }
      }
    } catch (error) {
      ctx.logger.error('The age of the sources could not be looked at.', error)
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, signal)
  }
}

interface While {
  /** Whether the limits are still those that it began with. */
  readonly isCurrent: () => Promise<boolean>
  readonly signal: AbortSignal
}

async function restoreMissing(
  ctx: Ctx,
  refetch: SourceRefetch,
  { isCurrent, signal }: While,
): Promise<void> {
  let failures = 0
  let below: number | undefined
  do {
    const page = await missingSources(ctx, below)
    for (const hash of page.hashes) {
      if (signal.aborted || !(await isCurrent())) return
      failures = (await refetch.get(hash)) ? 0 : failures + 1
      const isAway = failures > 0 && failures % FAILURES_MAX === 0
      await ctx.clock.sleep(isAway ? FAILURES_PAUSE_MS : FETCH_EVERY_MS, signal)
    }
    below = page.below
  } while (below !== undefined && !signal.aborted)
}
