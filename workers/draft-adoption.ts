import { adoptCopy } from '../domain/drafts/adoption/adopt.ts'
import { foundCopies } from '../domain/drafts/adoption/found-copies.ts'
import { followDeletions } from '../domain/drafts/adoption/missed-copies.ts'
import { heldLeases } from '../domain/sync/held-leases.ts'
import { type Lease, LeaseLost } from '../domain/sync/lease.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** Nobody waits for it: a sync has shown the message already. */
const LOOK_EVERY_MS = 2_000
/** When a message is looked at again that could not be adopted, and twice as late each time. */
const FIRST_DELAY_MS = 1_000
const DELAY_MAX_MS = 60 * 60_000
/** Whoever comes to this delay has waited about as long: longer than another program takes to replace a draft. */
const WAITED_DELAY_MS = 8_000

type Ports = Needs<'store' | 'clock' | 'wake' | 'sourceReader' | 'logger'>

/** Has drafts follow what other mail programs do in the Drafts folders of this sidecar's accounts, until `signal` aborts. */
export async function adoptDrafts(
  ctx: Ports,
  { sidecarId }: { readonly sidecarId: string },
  signal: AbortSignal,
): Promise<void> {
  const rests = restingCopies(ctx)
  while (!signal.aborted) {
    try {
      for (const lease of await heldLeases(ctx, sidecarId)) await adoptOfAccount(ctx, lease, rests)
    } catch (error) {
      if (!(error instanceof LeaseLost)) ctx.logger.error('Drafts could not be looked for.', error)
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, signal)
  }
}

async function adoptOfAccount(
  ctx: Ports,
  lease: Lease,
  rests: ReturnType<typeof restingCopies>,
): Promise<void> {
  for (const messageId of await foundCopies(ctx, lease.accountId)) {
    if (rests.isResting(messageId)) continue
    try {
      const found = { messageId, hasWaited: rests.hasWaited(messageId) }
      if (!(await adoptCopy(ctx, lease, found))) rests.rest(messageId)
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      rests.rest(messageId)
      ctx.logger.warn('A message could not be taken for a draft yet.', {
        messageId,
        reason: error instanceof Error ? error.message : String(error),
      })
    }
  }
  await followDeletions(ctx, lease)
}

/** Which messages could not be adopted of late. */
function restingCopies({ clock }: Ports) {
  const resting = new Map<number, { readonly delayMs: number; readonly untilMs: number }>()
  const nowMs = () => clock.now().getTime()
  return {
    isResting: (messageId: number) => nowMs() < (resting.get(messageId)?.untilMs ?? 0),
    hasWaited: (messageId: number) => (resting.get(messageId)?.delayMs ?? 0) >= WAITED_DELAY_MS,
    rest(messageId: number) {
      const before = resting.get(messageId)
      const delayMs = before ? Math.min(DELAY_MAX_MS, 2 * before.delayMs) : FIRST_DELAY_MS
      resting.set(messageId, { delayMs, untilMs: nowMs() + delayMs })
    },
  }
}
