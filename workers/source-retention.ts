import { ageLimits } from '../domain/sources/age-limit.ts'
import { dropOldSources } from '../domain/sources/drop-old.ts'
import { missingSources } from '../domain/sources/missing.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import type { SourceRefetch } from './source-refetch.ts'

/** How often sources that have grown too old are removed. */
const LOOK_AGAIN_MS = 6 * 60 * 60_000
/** The same where something went wrong, or some that are wanted could not be had. */
const RETRY_MS = 30 * 60_000
/** How soon a changed limit is noticed. */
const NOTICED_WITHIN_MS = 5_000
/** Between two sources that are fetched again, so that servers and the sync hardly feel it. */
const FETCH_EVERY_MS = 50
/** How often its servers may say that they do not have a source before nobody asks them any more. */
const TRIES_MAX = 3

type Ctx = Needs<'store' | 'sourceStore' | 'clock' | 'logger'>

/**
 * Keeps the sources as far back as their accounts say, until `signal` aborts: removes what has grown too old, and
 * fetches again, newest first, what a raised limit wants back. The one never waits for the other, and both can be cut
 * off anywhere and go on.
 */
export async function retainSources(
  ctx: Ctx,
  refetch: Pick<SourceRefetch, 'restore'>,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([
    lookRegularly(ctx, () => () => dropOld(ctx, signal), signal),
    lookRegularly(ctx, () => restoration(ctx, refetch, signal), signal),
  ])
}

/** Looks once; whether all is as it should be. `isCurrent` tells whether the limits are still the same. */
type Look = (isCurrent: () => Promise<boolean>) => Promise<boolean>

/** Looks at the start, when a limit has changed, and when it is time again; `begin` is called for each new limits. */
async function lookRegularly(ctx: Ctx, begin: () => Look, signal: AbortSignal): Promise<void> {
  let last: { readonly limits: string; readonly look: Look; readonly untilMs: number } | undefined
  while (!signal.aborted) {
    try {
      const limits = await ageLimits(ctx)
      const nowMs = ctx.clock.now().getTime()
      if (limits !== last?.limits || nowMs >= last.untilMs) {
        const look = limits === last?.limits ? last.look : begin()
        last = { limits, look, untilMs: nowMs + RETRY_MS }
        const isWell = await look(async () => (await ageLimits(ctx)) === limits)
        last = { limits, look, untilMs: nowMs + (isWell ? LOOK_AGAIN_MS : RETRY_MS) }
      }
    } catch (error) {
      ctx.logger.error('The age of the sources could not be looked at.', error)
    }
    await ctx.clock.sleep(NOTICED_WITHIN_MS, signal)
  }
}

async function dropOld(ctx: Ctx, signal: AbortSignal): Promise<boolean> {
  await dropOldSources(ctx, signal)
  return true
}

/** Looks that fetch what is missing, and remember what cannot be had. */
function restoration(ctx: Ctx, refetch: Pick<SourceRefetch, 'restore'>, signal: AbortSignal): Look {
  const tries = new Map<string, number>()
  /** Whether it needs no further look. */
  const restore = async (hash: string): Promise<boolean> => {
    const tried = tries.get(hash) ?? 0
    if (tried >= TRIES_MAX) return true
    const found = await refetch.restore(hash)
    await ctx.clock.sleep(FETCH_EVERY_MS, signal)
    if (found === 'gone') tries.set(hash, tried + 1)
    return typeof found !== 'string'
  }
  return async (isCurrent) => {
    let isWell = true
    let below: number | undefined
    do {
      const page = await missingSources(ctx, below)
      for (const hash of page.hashes) {
        if (signal.aborted || !(await isCurrent())) return false
        isWell = (await restore(hash)) && isWell
      }
      below = page.below
    } while (below !== undefined && !signal.aborted)
    return isWell
  }
}
