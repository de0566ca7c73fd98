import { listSyncableAccounts, type SyncableAccount } from '../domain/accounts/list-syncable.ts'
import {
  acquireLease,
  type Lease,
  LEASE_MS,
  LeaseLost,
  releaseLease,
  renewLeases,
} from '../domain/sync/lease.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import type { AccountPrompts } from './account-prompts.ts'
import type { AccountTurns } from './account-turns.ts'
import { type AccountSyncPorts, type Held, syncAccount } from './account-sync.ts'
import { wakeOrTimeout } from '../domain/wait.ts'

/** Also how soon a new account is noticed when its wake was lost. */
const LOOK_EVERY_MS = LEASE_MS / 6

interface RunningSync {
  readonly lease: Lease
  readonly settingsRevision: number
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** The sidecar whose accounts are synced, and what the syncs share with what else it does with them. */
export interface Supervising {
  readonly sidecarId: string
  readonly turns: AccountTurns
  readonly prompts: AccountPrompts
}

/**
 * Runs a sync for every account whose lease this sidecar can get, until `signal` aborts; then stops them all and
 * gives the leases back. New, changed and removed accounts are taken up at the next wake.
 */
export async function superviseAccounts(
  ctx: AccountSyncPorts,
  supervising: Supervising,
  signal: AbortSignal,
): Promise<void> {
  const running = new Map<number, RunningSync>()
  while (!signal.aborted) {
    try {
      await adjust(ctx, { ...supervising, running })
    } catch (error) {
      ctx.logger.error('The accounts could not be looked at.', error)
    }
    await wakeOrTimeout(ctx, { topic: 'accounts', ms: LOOK_EVERY_MS }, signal)
  }
  await Promise.all([...running.values()].map((sync) => stop(ctx, sync)))
}

interface Supervision extends Supervising {
  readonly running: Map<number, RunningSync>
}

async function adjust(
  ctx: AccountSyncPorts,
  { running, sidecarId, turns, prompts }: Supervision,
): Promise<void> {
  const own = new Map(
    (await renewLeases(ctx, sidecarId)).map((lease) => [lease.accountId, lease.epoch]),
  )
  const accounts = new Map(
    (await listSyncableAccounts(ctx)).map((account) => [account.id, account]),
  )
  const outdated = [...running].filter(
    ([accountId, sync]) =>
      own.get(accountId) !== sync.lease.epoch ||
      accounts.get(accountId)?.settingsRevision !== sync.settingsRevision ||
      sync.stop.signal.aborted,
  )
  for (const [accountId] of outdated) running.delete(accountId)
  // All at once: a server that is silent takes its time to say goodbye.
  await Promise.all(outdated.map(([, sync]) => stop(ctx, sync)))
  for (const account of accounts.values()) {
    if (running.has(account.id)) continue
    const lease = await acquireLease(ctx, account.id, sidecarId)
    if (!lease) continue
    const held = { lease, turn: turns.of(account.id), prompt: prompts.of(account.id) }
    running.set(account.id, start(ctx, account, held))
  }
}

/** A sync that ends by itself marks itself stopped, so that the next look starts it anew. */
function start(ctx: AccountSyncPorts, account: SyncableAccount, held: Held): RunningSync {
  const stopping = new AbortController()
  const ended = syncAccount(ctx, held, stopping.signal)
    .catch((error: unknown) => {
      if (!(error instanceof LeaseLost))
        ctx.logger.error('A sync ended.', error, { accountId: account.id })
    })
    .finally(() => stopping.abort())
  const { lease } = held
  return { lease, settingsRevision: account.settingsRevision, stop: stopping, ended }
}

async function stop(ctx: Needs<'store'>, sync: RunningSync): Promise<void> {
  sync.stop.abort()
  await sync.ended
  await releaseLease(ctx, sync.lease)
}
