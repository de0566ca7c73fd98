import { listWaitingForwards, type WaitingForward } from '../domain/forwards/list-waiting.ts'
import { giveUpForward, queueForward } from '../domain/forwards/queue.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import type { SourceRefetch } from './source-refetch.ts'

const LOOK_EVERY_MS = 1_000
/** A message whose source cannot be had is asked for again this late, and twice as late each time. */
const FIRST_DELAY_MS = 10_000
const DELAY_MAX_MS = 10 * 60_000
const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000

type Ports = Needs<'store' | 'clock' | 'wake' | 'logger'>

/** The sidecar whose accounts' rules forward, and where it gets sources from. */
interface Forwarding {
  readonly sidecarId: string
  readonly sources: Pick<SourceRefetch, 'restore'>
}

/** Puts what rules want forwarded into the outbox, until `signal` aborts. */
export async function queueForwards(
  ctx: Ports,
  { sidecarId, sources }: Forwarding,
  signal: AbortSignal,
): Promise<void> {
  const missing = missingSources(ctx)
  const queueWaiting = async () => {
    const waiting = await listWaitingForwards(ctx, { sidecarId, except: missing.postponed() })
    for (const forward of waiting) {
      if (signal.aborted) return
      if (await queueOrGiveUp(ctx, sources, forward)) missing.forget(forward.id)
      else missing.postpone(forward.id)
    }
  }
  while (!signal.aborted) {
    try {
      await queueWaiting()
    } catch (error) {
      ctx.logger.error('Messages could not be forwarded.', error)
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, signal)
  }
}

/** False while its source cannot be had. */
async function queueOrGiveUp(
  ctx: Ports,
  sources: Pick<SourceRefetch, 'restore'>,
  forward: WaitingForward,
): Promise<boolean> {
  const { id, accountId, original } = forward
  const found = original ? await sources.restore(forward.sourceHash) : 'gone'
  // One that was too large to be kept whole has only its header here.
  const isWhole = typeof found !== 'string' && found.source.length === original?.size
  if (original && isWhole) {
    await queueForward(ctx, { ...forward, original }, found.source)
    ctx.logger.info('A rule forwards a message.', { accountId, messageId: forward.messageId })
    return true
  }
  const isPossible = original !== null && typeof found === 'string'
  const isTooOld = ctx.clock.now().getTime() - forward.createdAt > GIVEN_UP_AFTER_MS
  if (isPossible && !isTooOld) return false
  ctx.logger.warn('A message could not be forwarded.', { accountId, forwardId: id })
  await giveUpForward(ctx, forward)
  return true
}

/** Forwards whose sources could not be had of late. */
function missingSources({ clock }: Needs<'clock'>) {
  const waits = new Map<number, { readonly delayMs: number; readonly untilMs: number }>()
  const nowMs = () => clock.now().getTime()
  return {
    postponed: () => [...waits].flatMap(([id, { untilMs }]) => (untilMs > nowMs() ? [id] : [])),
    forget: (id: number) => void waits.delete(id),
    postpone(id: number) {
      const delayMs = Math.min(DELAY_MAX_MS, 2 * (waits.get(id)?.delayMs ?? FIRST_DELAY_MS / 2))
      waits.set(id, { delayMs, untilMs: nowMs() + delayMs })
    },
  }
}
