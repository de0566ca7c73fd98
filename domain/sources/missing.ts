import type { Needs } from '../../runtime/ports/runtime.ts'
import { contentPage } from './age-limit.ts'

/** Sources that somebody wants and nobody keeps, and where to go on. */
export interface MissingSources {
  /** The newest first. */
  readonly hashes: readonly string[]
  /** What to give next; absent at the end. */
  readonly below?: number
}

/** Some of the sources that an account wants kept and that are not; `below` is where the page before ended. */
export async function missingSources(
  ctx: Needs<'store' | 'clock'>,
  below = Number.MAX_SAFE_INTEGER,
): Promise<MissingSources> {
  const nowMs = ctx.clock.now().getTime()
  const page = await contentPage(ctx, { kept: false, nowMs, below })
  const last = page.at(-1)
  return {
    hashes: page.flatMap(({ isWanted, sourceHash }) => (isWanted ? [sourceHash] : [])),
    ...(last && { below: last.id }),
  }
}
