import { pruneEvents } from '../domain/events/prune.ts'
import { pruneIdempotencyKeys } from '../domain/idempotency/prune.ts'
import { pruneOutbox } from '../domain/outbox/prune.ts'
import { pruneCorrespondents } from '../domain/search/suggestions/prune-correspondents.ts'
import { sweepSources } from '../domain/sources/sweep.ts'
import { sweepAttachmentData } from '../domain/submission/sweep-attachment-data.ts'
import { pruneLeftBehind } from '../domain/sync/left-behind.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

const EVERY_MS = 60 * 60_000

type Ports = Needs<'store' | 'sourceStore' | 'clock' | 'logger'>

/** Forgets every hour what is kept for a time only, and what nobody names any more, until `signal` aborts. */
export async function keepHouse(ctx: Ports, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await attempt(ctx, 'Old events could not be forgotten.', () => pruneEvents(ctx))
    await attempt(ctx, 'Old idempotency keys could not be forgotten.', () =>
      pruneIdempotencyKeys(ctx),
    )
    await attempt(ctx, 'Old messages of the outbox could not be forgotten.', () => pruneOutbox(ctx))
    await attempt(ctx, 'Messages that are gone could not be forgotten.', () => pruneLeftBehind(ctx))
    await attempt(ctx, 'Addresses that stand in no mail could not be forgotten.', () =>
      pruneCorrespondents(ctx, signal),
    )
    await attempt(ctx, 'Attachments that nothing names could not be removed.', () =>
      sweepAttachmentData(ctx, signal),
    )
    await attempt(ctx, 'Sources that nothing names could not be removed.', () =>
      sweepSources(ctx, signal),
    )
    await ctx.clock.sleep(EVERY_MS, signal)
  }
}

async function attempt(
  { logger }: Ports,
  failure: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    logger.error(failure, error)
  }
}
