import type { EndedAttempt } from '../../domain/webhooks/attempt.ts'
import { pruneDeliveries } from '../../domain/webhooks/prune-deliveries.ts'
import { settleAttempts, type SettledAttempt } from '../../domain/webhooks/settle-attempts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

type Ports = Needs<'store' | 'clock' | 'logger' | 'metrics'>

/** How long outcomes are gathered after others were written: the disk is flushed for all of them at once. */
const GATHERED_MS = 25
/** Few enough that the transaction stays short. */
const AT_ONCE = 100
/** How often what is not kept is forgotten while outcomes keep coming. */
const PRUNED_EVERY_MS = 1_000
/** How long a store that cannot be written is left alone. */
const AGAIN_AFTER_MS = 1_000

/** Writes down what became of attempts. */
export interface Outcomes {
  add(ended: EndedAttempt): void
  /** Resolves when everything is written down, or cannot be. */
  end(): Promise<void>
}

/**
 * Writes outcomes down in the order in which they came, several in one transaction, and tells `onSettled` of each. What
 * cannot be written is tried again until the end: what is known must not be lost because the disk is full for a while.
 */
export function outcomeWriter(
  ctx: Ports,
  sidecarId: string,
  onSettled: (settled: readonly SettledAttempt[]) => void,
): Outcomes {
  const ending = new AbortController()
  let waiting: EndedAttempt[] = []
  const unpruned = new Set<number>()
  let prunedAtMs = 0
  let isWriting = false
  let writing = Promise.resolve()

  const prune = async () => {
    prunedAtMs = ctx.clock.now().getTime()
    const webhookIds = [...unpruned]
    unpruned.clear()
    await pruneDeliveries(ctx, webhookIds)
  }

  const writeAll = async () => {
    while (waiting.length > 0) {
      const some = waiting.slice(0, AT_ONCE)
      try {
        const settled = await settleAttempts(ctx, sidecarId, some)
        waiting = waiting.slice(some.length)
        for (const one of settled) {
          unpruned.add(one.ended.attempt.webhookId)
          report(ctx, one)
        }
        onSettled(settled)
        const isPruningDue = ctx.clock.now().getTime() - prunedAtMs >= PRUNED_EVERY_MS
        if (waiting.length === 0 || isPruningDue) await prune()
        await ctx.clock.sleep(GATHERED_MS, ending.signal)
      } catch (error) {
        ctx.logger.error('Outcomes of webhook deliveries could not be written down yet.', error)
        if (ending.signal.aborted) break
        await ctx.clock.sleep(AGAIN_AFTER_MS, ending.signal)
      }
    }
    isWriting = false
  }

  return {
    add(ended) {
      waiting.push(ended)
      if (isWriting) return
      isWriting = true
      writing = writeAll()
    },
    async end() {
      ending.abort()
      await writing
    },
  }
}

/** One line and one count for every attempt: never a payload, a secret, a signature or a reply. */
function report(
  { logger, metrics }: Ports,
  { ended, settled, isSwitchedOff }: SettledAttempt,
): void {
  const { attempt, statusCode, durationMs, cause } = ended
  const { webhookId, deliveryId, event } = attempt
  if (cause !== undefined)
    logger.error('A webhook delivery could not be made.', cause, { webhookId, deliveryId })
  logger.info('webhook', {
    webhookId,
    deliveryId,
    event,
    outcome: settled,
    statusCode: statusCode ?? undefined,
    attempts: attempt.attempts + 1,
    durationMs,
  })
  metrics.count('webhook_attempts_total', { outcome: settled })
  metrics.count('webhook_attempts_ms', {}, durationMs)
  if (!isSwitchedOff) return
  logger.warn('A webhook was switched off: a delivery ran out of attempts.', { webhookId })
  metrics.count('webhooks_disabled_total')
}
