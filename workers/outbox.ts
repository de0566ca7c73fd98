import { CLAIM_MS, claimDue, type ClaimedEntry } from '../domain/outbox/claim.ts'
import { COPY_AFTER_MS } from '../domain/outbox/copies/due.ts'
import { failAbandoned } from '../domain/outbox/fail-abandoned.ts'
import { renewClaims } from '../domain/outbox/hold-claim.ts'
import { nextDueMs } from '../domain/outbox/next-due.ts'
import { wakeOrTimeout } from '../domain/wait.ts'
import type { AccountPrompts } from './account-prompts.ts'
import { attemptToSend, type OutboxPorts } from './outbox-attempt.ts'
import { readyAccounts } from './ready-accounts.ts'
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
  const ready = readyAccounts(ctx)
  const copies = copyWakes(ctx, signal)
  /** Whether more may be due than there were places for when it was last looked for. */
  let isMoreDue = false
  let attemptsEnded = 0
  const attempt = async (entry: ClaimedEntry) => {
    try {
      const { outcome, settled } = await attemptToSend(ctx, entry, signal)
      resting.note(entry.accountId, outcome)
      ready.note(entry.accountId, outcome)
      if (settled === 'sent') copies.soon()
      if (settled === 'sent_unfiled') prompts.of(entry.accountId).now()
    } catch (error) {
      ctx.logger.error('The outcome of a message could not be written down.', error, {
        outboxId: entry.id,
      })
    }
    underway.delete(entry.id)
    attemptsEnded += 1
    // There is a place again. Looking for nothing would only be in the way of what is sent next.
    if (isMoreDue) ctx.wake.now('outbox')
  }
  /** Whether to look again at once. */
  const beginDue = async () => {
    const endedBefore = attemptsEnded
    const claims = await claimDue(ctx, {
      sidecarId,
      underway: [...underway.values()].map(({ entry }) => entry),
      restingAccountIds: resting.ids(),
      readyAccountIds: ready.ids(),
    })
    isMoreDue = claims.isMoreDue
    for (const entry of claims.claimed) underway.set(entry.id, { entry, ended: attempt(entry) })
    return isMoreDue && (claims.claimed.length > 0 || attemptsEnded > endedBefore)
  }

  const ids = () => [...underway.keys()]
  const ended = new AbortController()
  const kept = keepClaims(ctx, { sidecarId, ids }, ended.signal)
  const watched = watchAbandoned(ctx, ids, signal)
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
  await Promise.all([kept, watched])
}

/** Until the next entry is due, or it is time to look again. */
async function untilNextMs(ctx: OutboxPorts): Promise<number> {
  const at = await nextDueMs(ctx).catch(() => undefined)
  const inMs = at === undefined ? LOOK_EVERY_MS : at - ctx.clock.now().getTime()
  return Math.max(0, Math.min(LOOK_EVERY_MS, inMs))
}

/** Fails what a sidecar that is gone was handing over, within a second of when that is known. */
async function watchAbandoned(
  ctx: OutboxPorts,
  underwayIds: () => readonly number[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const id of await failAbandoned(ctx, underwayIds()))
        ctx.logger.warn('The outcome of a message is unknown: its sidecar ended.', { outboxId: id })
    } catch (error) {
      ctx.logger.error('What ended sidecars left could not be looked for.', error)
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, signal)
  }
}

/** Has copies filed when they are due, those of several messages together. */
function copyWakes({ clock, wake }: OutboxPorts, signal: AbortSignal) {
  let isComing = false
  const wakeWhenDue = async () => {
    isComing = true
    await clock.sleep(COPY_AFTER_MS, signal)
    isComing = false
    wake.now('mailbox_changes')
  }
  return {
    soon() {
      if (!isComing) void wakeWhenDue()
    },
  }
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
