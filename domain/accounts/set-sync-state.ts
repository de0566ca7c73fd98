import { eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type Lease, unitUnderLease } from '../sync/lease.ts'

/** How the sync of an account goes, as `GET /v1/accounts` shows it. */
export type SyncState =
  /** `total`: how many messages the server has. */
  | { readonly state: 'syncing'; readonly total: number }
  | { readonly state: 'ok'; readonly lastSyncAt: Date }
  | { readonly state: 'error'; readonly error: string }

/**
 * Shows the state of the account's sync; the time of the last sync stays when one fails. Tells of an error when the
 * account enters it or its reason changes (spec section 6).
 */
export async function setSyncState(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  lease: Lease,
  sync: SyncState,
): Promise<void> {
  const { accountId } = lease
  const error = sync.state === 'error' ? sync.error : null
  await unitUnderLease(ctx, lease, async ({ tx, emit }) => {
    const [before] = await tx
      .select({ error: accounts.error })
      .from(accounts)
      .where(eq(accounts.id, accountId))
    await tx
      .update(accounts)
      .set({
        state: sync.state,
        error,
        progressTotal: sync.state === 'syncing' ? sync.total : null,
        ...(sync.state === 'ok' && { lastSyncAt: sync.lastSyncAt.getTime() }),
      })
      .where(eq(accounts.id, accountId))
    if (error !== null && error !== before?.error)
      await emit([{ kind: 'sync.error', accountId, error }])
  })
}
