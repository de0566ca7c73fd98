import { eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type Lease, underLease } from '../sync/lease.ts'

/** How the sync of an account goes, as `GET /v1/accounts` shows it. */
export type SyncState =
  /** `total`: how many messages the server has. */
  | { readonly state: 'syncing'; readonly total: number }
  | { readonly state: 'ok'; readonly lastSyncAt: Date }
  | { readonly state: 'error'; readonly error: string }

/** Shows the state of the account's sync; the time of the last sync stays when one fails. */
export async function setSyncState(
  ctx: Needs<'store'>,
  lease: Lease,
  sync: SyncState,
): Promise<void> {
  await underLease(ctx, lease, (tx) =>
    tx
      .update(accounts)
      .set({
        state: sync.state,
        error: sync.state === 'error' ? sync.error : null,
        progressTotal: sync.state === 'syncing' ? sync.total : null,
        ...(sync.state === 'ok' && { lastSyncAt: sync.lastSyncAt.getTime() }),
      })
      .where(eq(accounts.id, lease.accountId)),
  )
}
