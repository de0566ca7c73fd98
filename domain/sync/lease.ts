import { and, eq, gt, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { databaseNowMs } from '../database-time.ts'
import { type Unit, unitOfWork } from '../unit-of-work.ts'

/** How long a sidecar that stopped renewing keeps its accounts. */
export const LEASE_MS = 30_000

/** The right to sync an account. `epoch` tells this holder from every earlier one. */
export interface Lease {
  readonly accountId: number
  readonly sidecarId: string
  readonly epoch: number
}

/** Another sidecar has taken the account over; whoever sees this stops and writes nothing more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

const expiry = sql<number>`${databaseNowMs} + ${LEASE_MS}`

/**
 * Whether nobody holds the account any more. A lease that ends later than a new one would is from before the clock
 * was turned back, and whoever held it may be gone: if it is not, its epoch stops it.
 */
const isFree = sql<boolean>`(${accountLeases.expiresAt} <= ${databaseNowMs} or ${accountLeases.expiresAt} > ${expiry})`

const heldBy = (lease: Lease) =>
  and(
    eq(accountLeases.accountId, lease.accountId),
    eq(accountLeases.sidecarId, lease.sidecarId),
    eq(accountLeases.epoch, lease.epoch),
  )

/** Takes the account unless another sidecar holds it; undefined when one does. */
export async function acquireLease(
  { store }: Needs<'store'>,
  accountId: number,
  sidecarId: string,
): Promise<Lease | undefined> {
  const [rows] = await store.commit((write) => [
    write
      .insert(accountLeases)
      .values({ accountId, sidecarId, epoch: 1, expiresAt: expiry })
      .onConflictDoUpdate({
        target: accountLeases.accountId,
        set: {
          sidecarId,
          epoch: sql`${accountLeases.epoch} + 1`,
          expiresAt: expiry,
          syncedOnce: false,
        },
        setWhere: sql`${isFree} or ${accountLeases.sidecarId} = ${sidecarId}`,
      })
      .returning({ epoch: accountLeases.epoch }),
  ])
  const epoch = rows[0]?.epoch
  return epoch === undefined ? undefined : { accountId, sidecarId, epoch }
}

/** Holds all leases of this sidecar for another `LEASE_MS`; returns those that are still its own. */
export async function renewLeases(
  { store }: Needs<'store'>,
  sidecarId: string,
): Promise<readonly Lease[]> {
  const [rows] = await store.commit((write) => [
    write
      .update(accountLeases)
      .set({ expiresAt: expiry })
      .where(
        and(eq(accountLeases.sidecarId, sidecarId), gt(accountLeases.expiresAt, databaseNowMs)),
      )
      .returning({ accountId: accountLeases.accountId, epoch: accountLeases.epoch }),
  ])
  return rows.map((row) => ({ ...row, sidecarId }))
}

/** Gives the account back, so that another sidecar need not wait. The row stays: its epoch must never repeat. */
export async function releaseLease({ store }: Needs<'store'>, lease: Lease): Promise<void> {
  await store.commit((write) => [
    write.update(accountLeases).set({ expiresAt: 0 }).where(heldBy(lease)),
  ])
}

/** Runs `work` in a transaction that only a holder of the lease commits; throws `LeaseLost` otherwise. */
export async function underLease<T>(
  { store }: Needs<'store'>,
  lease: Lease,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return store.transaction((tx) => held(tx, lease, work))
}

/** The same, durable when it resolves: for what a server is asked to do next. */
export async function durablyUnderLease<T>(
  { store }: Needs<'store'>,
  lease: Lease,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return store.durableTransaction((tx) => held(tx, lease, work))
}

async function held<T>(tx: Tx, lease: Lease, work: (tx: Tx) => Promise<T>): Promise<T> {
  await requireLease(tx, lease)
  return work(tx)
}

/** A unit of work of a sync. */
export interface SyncUnit extends Unit {
  /** Whether this holder has completed a sync of the account: before, nobody hears of changes (spec section 6, rule 5). */
  readonly hasSyncedOnce: boolean
}

/** Runs `work` in a unit of work that only a holder of the lease commits; throws `LeaseLost` otherwise. */
export async function unitUnderLease<T>(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  lease: Lease,
  work: (unit: SyncUnit) => Promise<T>,
): Promise<T> {
  return unitOfWork(
    ctx,
    async (unit) => {
      const { syncedOnce } = await requireLease(unit.tx, lease)
      return work({ ...unit, hasSyncedOnce: syncedOnce })
    },
    { canBeRepeated: true },
  )
}

/** Whether its holder has completed a sync. Throws `LeaseLost` where somebody else holds the account. */
export async function requireLease(
  tx: Tx,
  lease: Lease,
): Promise<{ readonly syncedOnce: boolean }> {
  const [held] = await tx
    .select({ syncedOnce: accountLeases.syncedOnce })
    .from(accountLeases)
    .where(and(heldBy(lease), gt(accountLeases.expiresAt, databaseNowMs)))
  if (!held) throw new LeaseLost(`Account ${lease.accountId} is synced by another process.`)
  return held
}

/** Remembers that this holder has completed a sync of the account. */
export async function markSynced(ctx: Needs<'store'>, lease: Lease): Promise<void> {
  await underLease(ctx, lease, (tx) =>
    tx
      .update(accountLeases)
      .set({ syncedOnce: true })
      .where(and(heldBy(lease), eq(accountLeases.syncedOnce, false))),
  )
}
