import { and, eq, gt, type SQL } from 'drizzle-orm'
import { accountLeases } from '../../db/schema/sidecars.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { databaseNowMs } from '../database-time.ts'
import type { Lease } from './lease.ts'

/** The leases that a sidecar holds now, or those of them for which `condition` holds. */
export async function heldLeases(
  { store }: Needs<'store'>,
  sidecarId: string,
  condition?: SQL,
): Promise<readonly Lease[]> {
  return store.read
    .select({
      accountId: accountLeases.accountId,
      sidecarId: accountLeases.sidecarId,
      epoch: accountLeases.epoch,
    })
    .from(accountLeases)
    .where(
      and(
        eq(accountLeases.sidecarId, sidecarId),
        gt(accountLeases.expiresAt, databaseNowMs),
        condition,
      ),
    )
}
