import type { ClaimedEntry } from '../domain/outbox/claim.ts'
import { handOver, type HandOverPorts } from '../domain/outbox/hand-over.ts'
import type { Outcome } from '../domain/outbox/outcome.ts'
import { settle, type Settled } from '../domain/outbox/settle.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** How long a store that cannot be written is left alone. */
const SETTLED_AGAIN_AFTER_MS = 1_000

/** What sending needs. */
export type OutboxPorts = HandOverPorts & Needs<'wake' | 'logger' | 'metrics'>

/** What became of an attempt, and of its entry. */
interface Attempt {
  readonly outcome: Outcome
  readonly settled: Settled
}

/** Hands a claimed message over, writes down what became of it, and says so in the log. Throws where nothing can be written. */
export async function attemptToSend(
  ctx: OutboxPorts,
  entry: ClaimedEntry,
  signal: AbortSignal,
): Promise<Attempt> {
  const begunMs = ctx.clock.now().getTime()
  const outcome = await handOver(ctx, entry, signal)
  const settled = await settleSurely(ctx, { entry, outcome }, signal)
  report(ctx, entry, { outcome, settled, tookMs: ctx.clock.now().getTime() - begunMs })
  return { outcome, settled }
}

/** What is known of a message must not be lost because the disk is full for a while. */
async function settleSurely(
  ctx: OutboxPorts,
  { entry, outcome }: { readonly entry: ClaimedEntry; readonly outcome: Outcome },
  signal: AbortSignal,
): Promise<Settled> {
  for (;;) {
    try {
      return await settle(ctx, entry, outcome)
    } catch (error) {
      if (signal.aborted) throw error
      ctx.logger.error('The outcome of a message could not be written down yet.', error, {
        outboxId: entry.id,
      })
      await ctx.clock.sleep(SETTLED_AGAIN_AFTER_MS, signal)
    }
  }
}

/** One line and one count for every attempt: never what the message says, nor to whom. */
function report(
  { logger, metrics }: OutboxPorts,
  { id, accountId, attempts }: ClaimedEntry,
  { outcome, settled, tookMs }: Attempt & { readonly tookMs: number },
): void {
  const failure = outcome.kind === 'failed' ? outcome.failure : undefined
  if (failure?.cause !== undefined)
    logger.error('A message could not be made or handed over.', failure.cause, { outboxId: id })
  logger.info('outbox', {
    outboxId: id,
    accountId,
    outcome: settled === 'sent_unfiled' ? 'sent' : settled,
    failure: failure?.failure,
    smtpCode: failure?.smtpCode,
    attempts,
    durationMs: tookMs,
  })
  if (settled === 'sent' || settled === 'sent_unfiled') metrics.count('messages_sent_total')
  if (settled === 'postponed') metrics.count('sending_postponed_total')
  if (settled === 'failed' && failure)
    metrics.count('messages_failed_total', { failure: failure.failure })
}
