import { and, eq, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { databaseNowMs } from '../database-time.ts'
import { notFound } from '../errors.ts'
import { finishRemoval, type RemovalPorts } from './finish-removal.ts'
import { isNotRemoved } from './not-removed.ts'
import { removalLease } from './removal-lease.ts'

/**
 * Removes an account with everything that is stored of it; the mail on its server stays. Nobody sees it any more
 * from the first moment, its name is free, and its sync writes nothing more; a removal that is cut short then is
 * finished by `finishRemovals`. Throws `not_found`.
 */
export async function removeAccount(
  ctx: RemovalPorts,
  { id }: { readonly id: number },
): Promise<void> {
  const [account] = await ctx.store.read
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, id), isNotRemoved))
  if (!account) throw notFound('account', id)
  await begin(ctx, id)
  ctx.wake.now('accounts')
  await finishRemoval(ctx, id)
}

/** Marks the account and takes its lease: the epoch moves on, so a running sync writes nothing more. */
async function begin({ store }: Needs<'store'>, id: number): Promise<void> {
  await store.commit((write) => [
    write
      .update(accounts)
      .set({ removingSince: databaseNowMs, nameKey: nameKeyOfRemoved(id) })
      .where(eq(accounts.id, id)),
    write
      .insert(accountLeases)
      .values({ accountId: id, epoch: 1, ...removalLease })
      .onConflictDoUpdate({
        target: accountLeases.accountId,
        set: { ...removalLease, epoch: sql`${accountLeases.epoch} + 1` },
      }),
  ])
}

/** No name has a control character. */
const nameKeyOfRemoved = (id: number) => `\u007F${id}`
