import { sql } from 'drizzle-orm'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { databaseNowMs } from '../database-time.ts'

/** Renewed with every step of a removal; after it somebody else may take the removal up. */
const REMOVAL_LEASE_MS = 10_000

/** The lease of an account while it is being removed. */
export const removalLease = {
  sidecarId: 'removal',
  expiresAt: sql`${databaseNowMs} + ${REMOVAL_LEASE_MS}`,
}

/**
 * Whether nobody goes on with a removal. A lease that ends later than a new one would is from before the clock was
 * turned back.
 */
export const isAbandoned = sql<boolean>`(${accountLeases.expiresAt} <= ${databaseNowMs} or ${accountLeases.expiresAt} > ${removalLease.expiresAt})`
