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
import type { AccountTurns, Turn } from './account-turns.ts'
import { syncAccount, type AccountSyncPorts } from './account-sync.ts'
import { wakeOrTimeout } from '../domain/wait.ts'

/** Also how soon a new account is noticed when its wake was lost. */
const LOOK_EVERY_MS = LEASE_MS / 6

interface RunningSync {
  readonly lease: Lease
  readonly settingsRevision: number
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/**
 * Runs a sync for every account whose lease this sidecar can get, until `signal` aborts; then stops them all and
 * gives the leases back. New, changed and removed accounts are taken up at the next wake.
 */
export async function superviseAccounts(
  ctx: AccountSyncPorts,
  { sidecarId, turns }: { readonly sidecarId: string; readonly turns: AccountTurns },
  signal: AbortSignal,
): Promise<void> {
  const running = new Map<number, RunningSync>()
  while (!signal.aborted) {
    try {
      await adjust(ctx, { running, sidecarId, turns })
    } catch (error) {
      ctx.logger.error('The accounts could not be looked at.', error)
    }
    await wakeOrTimeout(ctx, { topic: 'accounts', ms: LOOK_EVERY_MS }, signal)
  }
  await Promise.all([...running.values()].map((sync) => stop(ctx, sync)))
}

interface Supervision {
  readonly running: Map<number, RunningSync>
  readonly sidecarId: string
  readonly turns: AccountTurns
}

async function adjust(
  ctx: AccountSyncPorts,
  { running, sidecarId, turns }: Supervision,
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
    if (lease) running.set(account.id, start(ctx, account, { lease, turn: turns.of(account.id) }))
  }
}

/** A sync that ends by itself marks itself stopped, so that the next look starts it anew. */
function start(
  ctx: AccountSyncPorts,
  account: SyncableAccount,
  held: { readonly lease: Lease; readonly turn: Turn },
): RunningSync {
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
