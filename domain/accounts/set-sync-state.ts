import { eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type Lease, underLease } from '../sync/lease.ts'

/** How the sync of an account goes, as `GET /v1/accounts` shows it. */
export type SyncState =
  | {
      readonly state: 'syncing'
      readonly progress: { readonly done: number; readonly total: number }
    }
  | { readonly state: 'ok'; readonly lastSyncAt: Date }
  | { readonly state: 'error'; readonly error: string }

/** Shows the state of the account's sync; the time of the last sync stays when one fails. */
export async function setSyncState(
  ctx: Needs<'store'>,
  lease: Lease,
  sync: SyncState,
): Promise<void> {
  const progress = sync.state === 'syncing' ? sync.progress : undefined
  await underLease(ctx, lease, (tx) =>
    tx
      .update(accounts)
      .set({
        state: sync.state,
        error: sync.state === 'error' ? sync.error : null,
        progressDone: progress?.done ?? null,
        progressTotal: progress?.total ?? null,
        ...(sync.state === 'ok' && { lastSyncAt: sync.lastSyncAt.getTime() }),
      })
      .where(eq(accounts.id, lease.accountId)),
  )
}
