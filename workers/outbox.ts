import { CLAIM_MS, claimDue, type ClaimedEntry } from '../domain/outbox/claim.ts'
import { failAbandoned } from '../domain/outbox/fail-abandoned.ts'
import { renewClaims } from '../domain/outbox/hold-claim.ts'
import { nextDueMs } from '../domain/outbox/next-due.ts'
import { wakeOrTimeout } from '../domain/wait.ts'
import type { AccountPrompts } from './account-prompts.ts'
import { attemptToSend, type OutboxPorts } from './outbox-attempt.ts'
import { restingAccounts } from './resting-accounts.ts'

/** How soon something to be sent is noticed when its wake was lost. */
const LOOK_EVERY_MS = 1_000
/** How long the end of the process waits for the answers of servers: a little less than its parent waits for it. */
const ENDS_WITHIN_MS = 6_000

/** The sidecar that sends. */
interface Sending {
  readonly sidecarId: string
  readonly prompts: AccountPrompts
}

/**
 * Sends what is due, until `signal` aborts: a few at once, what somebody waits for first, each exactly when it is due.
 * What is being handed over then is waited for, a few seconds at most.
 */
export async function sendOutbox(
  ctx: OutboxPorts,
  { sidecarId, prompts }: Sending,
  signal: AbortSignal,
): Promise<void> {
  const underway = new Map<
    number,
    { readonly entry: ClaimedEntry; readonly ended: Promise<void> }
  >()
  const resting = restingAccounts(ctx)
  const attempt = async (entry: ClaimedEntry) => {
    try {
      const { outcome, settled } = await attemptToSend(ctx, entry, signal)
      resting.note(entry.accountId, outcome)
      if (settled === 'sent_unfiled') prompts.of(entry.accountId).now()
    } catch (error) {
      ctx.logger.error('The outcome of a message could not be written down.', error, {
        outboxId: entry.id,
      })
    }
    underway.delete(entry.id)
    // There is a place again.
    ctx.wake.now('outbox')
  }
  const beginDue = async () => {
    for (const id of await failAbandoned(ctx, [...underway.keys()]))
      ctx.logger.warn('The outcome of a message is unknown: its sidecar ended.', { outboxId: id })
    const claimed = await claimDue(ctx, {
      sidecarId,
      underway: [...underway.values()].map(({ entry }) => entry),
      restingAccountIds: resting.ids(),
    })
    for (const entry of claimed) underway.set(entry.id, { entry, ended: attempt(entry) })
    return claimed.length > 0
  }

  const ended = new AbortController()
  const kept = keepClaims(ctx, { sidecarId, ids: () => [...underway.keys()] }, ended.signal)
  while (!signal.aborted) {
    try {
      if (await beginDue()) continue
    } catch (error) {
      ctx.logger.error('What is to be sent could not be looked for.', error)
    }
    await wakeOrTimeout(ctx, { topic: 'outbox', ms: await untilNextMs(ctx) }, signal)
  }
  const answers = Promise.all([...underway.values()].map((sent) => sent.ended))
  await Promise.race([answers, ctx.clock.sleep(ENDS_WITHIN_MS, ended.signal)])
  ended.abort()
  await kept
}

/** Until the next entry is due, or it is time to look again. */
async function untilNextMs(ctx: OutboxPorts): Promise<number> {
  const at = await nextDueMs(ctx).catch(() => undefined)
  const inMs = at === undefined ? LOOK_EVERY_MS : at - ctx.clock.now().getTime()
  return Math.max(0, Math.min(LOOK_EVERY_MS, inMs))
}

/** Holds the claims of what is being sent for as long as that takes. */
async function keepClaims(
  ctx: OutboxPorts,
  { sidecarId, ids }: { readonly sidecarId: string; readonly ids: () => readonly number[] },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await ctx.clock.sleep(CLAIM_MS / 3, signal)
    if (signal.aborted || ids().length === 0) continue
    await renewClaims(ctx, sidecarId, ids()).catch((error: unknown) =>
      ctx.logger.error('The claims of what is being sent could not be renewed.', error),
    )
  }
}
