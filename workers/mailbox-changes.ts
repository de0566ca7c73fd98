import { dueAccounts } from '../domain/sync/due-accounts.ts'
import { type Lease, LeaseLost } from '../domain/sync/lease.ts'
import { MailServerError } from '../runtime/ports/mail-server-error.ts'
import type { AccountPrompts } from './account-prompts.ts'
import type { AccountTurns } from './account-turns.ts'
import type { InteractiveLanes } from './interactive-lanes.ts'
import { pushAccount } from './push/push-account.ts'
import type { PushPorts } from './push/push-ports.ts'
import { wakeOrTimeout } from '../domain/wait.ts'

/** How soon a change is noticed when its wake was lost. */
const LOOK_EVERY_MS = 1_000
/** A server that cannot be asked is asked again this late, and twice as late each time. */
const FIRST_DELAY_MS = 1_000
const DELAY_MAX_MS = 60_000

/** The sidecar whose accounts' changes are made, and what they go over. */
export interface Pushing {
  readonly sidecarId: string
  readonly lanes: InteractiveLanes
  readonly turns: AccountTurns
  readonly prompts: AccountPrompts
}

/** Tells the servers of this sidecar's accounts what was changed here, and what was sent, until `signal` aborts. */
export async function pushMailboxChanges(
  ctx: PushPorts,
  { sidecarId, lanes, turns, prompts }: Pushing,
  signal: AbortSignal,
): Promise<void> {
  const pushing = new Map<number, Promise<void>>()
  const away = awayServers(ctx)
  const begin = (lease: Lease) => {
    const turn = turns.of(lease.accountId)
    const prompt = prompts.of(lease.accountId)
    const ended = pushAccount(ctx, { lanes, lease, turn, prompt })
      .then(() => away.answered(lease.accountId))
      .catch((error: unknown) => {
        // That it is so shows as the account's own error.
        if (error instanceof MailServerError) return away.failed(lease.accountId)
        if (error instanceof LeaseLost || signal.aborted) return
        ctx.logger.error('Changes could not be made on a mail server.', error, {
          accountId: lease.accountId,
        })
      })
      .finally(() => pushing.delete(lease.accountId))
    pushing.set(lease.accountId, ended)
  }
  const beginDue = async () => {
    for (const lease of await dueAccounts(ctx, sidecarId))
      if (!pushing.has(lease.accountId) && !away.isAway(lease.accountId)) begin(lease)
  }
  while (!signal.aborted) {
    try {
      await beginDue()
    } catch (error) {
      ctx.logger.error('Changes that wait for mail servers could not be looked for.', error)
    }
    await wakeOrTimeout(ctx, { topic: 'mailbox_changes', ms: LOOK_EVERY_MS }, signal)
  }
  await Promise.all(pushing.values())
}

/** Which accounts' servers could not be asked of late: what waits for them has failed in nothing. */
function awayServers({ clock }: PushPorts) {
  const away = new Map<number, { readonly delayMs: number; readonly untilMs: number }>()
  const nowMs = () => clock.now().getTime()
  return {
    isAway: (accountId: number) => nowMs() < (away.get(accountId)?.untilMs ?? 0),
    answered: (accountId: number) => void away.delete(accountId),
    failed(accountId: number) {
      const before = away.get(accountId)
      const delayMs = before ? Math.min(DELAY_MAX_MS, 2 * before.delayMs) : FIRST_DELAY_MS
      away.set(accountId, { delayMs, untilMs: nowMs() + delayMs })
    },
  }
}
