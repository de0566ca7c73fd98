import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import { searchJobs, searchParts } from '../../../db/schema/search-jobs.ts'
import { accountLeases } from '../../../db/schema/sidecars.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { databaseNowMs } from '../../database-time.ts'
import type { Lease } from '../../sync/lease.ts'

/** A part of a search that the holder of the account's lease has to do. */
export interface DuePart {
  readonly jobSeq: number
  readonly lease: Lease
}

/** What is to be searched of the sidecar's accounts, oldest search first. */
export async function dueParts(
  { store }: Needs<'store'>,
  sidecarId: string,
): Promise<readonly DuePart[]> {
  const rows = await store.read
    .select({
      jobSeq: searchParts.jobSeq,
      accountId: accountLeases.accountId,
      epoch: accountLeases.epoch,
    })
    .from(searchParts)
    .innerJoin(searchJobs, eq(searchJobs.seq, searchParts.jobSeq))
    .innerJoin(accountLeases, eq(accountLeases.accountId, searchParts.accountId))
    .where(
      and(
        isNull(searchParts.endedAt),
        eq(accountLeases.sidecarId, sidecarId),
        gt(accountLeases.expiresAt, databaseNowMs),
      ),
    )
    .orderBy(asc(searchParts.jobSeq))
  return rows.map(({ jobSeq, ...lease }) => ({ jobSeq, lease: { ...lease, sidecarId } }))
}
