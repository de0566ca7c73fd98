import { and, eq, gt } from 'drizzle-orm'
import { accountLeases } from '../../db/schema/sidecars.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { databaseNowMs } from '../database-time.ts'
import type { Lease } from './lease.ts'

/** The leases that a sidecar holds now. */
export async function heldLeases(
  { store }: Needs<'store'>,
  sidecarId: string,
): Promise<readonly Lease[]> {
  return store.read
    .select({
      accountId: accountLeases.accountId,
      sidecarId: accountLeases.sidecarId,
      epoch: accountLeases.epoch,
    })
    .from(accountLeases)
    .where(and(eq(accountLeases.sidecarId, sidecarId), gt(accountLeases.expiresAt, databaseNowMs)))
}
