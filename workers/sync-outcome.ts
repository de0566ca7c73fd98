import { setSyncState } from '../domain/accounts/set-sync-state.ts'
import type { FailureCause } from '../domain/sync/backoff.ts'
import type { Lease } from '../domain/sync/lease.ts'
import { MailServerError } from '../runtime/ports/mail-server-error.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import { StorageError } from '../runtime/ports/storage-error.ts'

type Ports = Needs<'store' | 'clock' | 'wake' | 'logger' | 'metrics'>

/** Shows the account as in sync. */
export const reportSuccess = (ctx: Ports, lease: Lease) =>
  setSyncState(ctx, lease, { state: 'ok', lastSyncAt: ctx.clock.now() })

/** Whose fault a failed sync is. */
export function causeOf(error: unknown): FailureCause {
  if (error instanceof StorageError) return 'storage'
  const isRefused = error instanceof MailServerError && error.kind === 'auth' && !error.retryable
  return isRefused ? 'login' : 'server'
}

/**
 * Shows the account's error. What a mail server answered and what the disk refuses is for the owner to read; anything
 * else is ours, and only the log says what it was.
 */
export async function reportFailure(ctx: Ports, lease: Lease, error: unknown): Promise<void> {
  const { accountId } = lease
  ctx.metrics.count('sync_passes_failed_total')
  if (error instanceof MailServerError)
    ctx.logger.warn('The mail server failed a sync.', { accountId, answer: error.message })
  else ctx.logger.error('A sync failed.', error, { accountId })
  const isForOwner = error instanceof MailServerError || error instanceof StorageError
  await setSyncState(ctx, lease, {
    state: 'error',
    error: isForOwner ? error.message : 'The sync failed inside the service; its log says why.',
  })
}
