import { noteNextCorrespondents } from '../domain/search/suggestions/note-next.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** How soon whoever has written is suggested. */
const LOOK_EVERY_MS = 5_000
/** Between two steps, so that the sync hardly feels it. */
const STEPS_APART_MS = 50

/** Notes the addresses of new mail for suggestions, until `signal` aborts. Several sidecars share the work. */
export async function noteCorrespondents(
  ctx: Needs<'store' | 'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  let leftBefore = 0
  while (!signal.aborted) {
    const left = await noteNextCorrespondents(ctx).catch((error: unknown) => {
      ctx.logger.error('The addresses of new mail could not be noted.', error)
      return 0
    })
    // While a first sync adds more than that, its newest mail is enough.
    const isFilled = left > leftBefore
    leftBefore = left
    await ctx.clock.sleep(left > 0 && !isFilled ? STEPS_APART_MS : LOOK_EVERY_MS, signal)
  }
}
