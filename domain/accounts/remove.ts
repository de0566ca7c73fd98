import { eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { messages } from '../../db/schema/messages.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { threadKeys, threads } from '../../db/schema/threads.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { databaseNowMs } from '../database-time.ts'
import { notFound } from '../errors.ts'
import { forgetSources, removeOrphanedContents } from '../sync/orphaned-contents.ts'

/** How many rows go at once, so that no transaction lasts longer than 20 ms. */
const MESSAGES_AT_ONCE = 50
const THREADS_AT_ONCE = 200
/** A removal that is cut short gives the account back to the sync after this time. */
const REMOVAL_LEASE_MS = 60_000

type Ctx = Needs<'store' | 'sourceStore' | 'wake'>

/**
 * Removes an account with everything that is stored of it; the mail on its server stays. The sync is shut out
 * first, so that nothing comes back. Removing again completes a removal that was cut short. Throws `not_found`.
 */
export async function removeAccount(ctx: Ctx, input: { readonly id: number }): Promise<void> {
  const { store, wake } = ctx
  const [account] = await store.read
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, input.id))
  if (!account) throw notFound('account', input.id)
  await shutSyncOut(ctx, input.id)
  wake.now('accounts')

  let isMailLeft = true
  while (isMailLeft) isMailLeft = await removeMessages(ctx, input.id)
  let areThreadsLeft = true
  while (areThreadsLeft) areThreadsLeft = await removeThreads(ctx, input.id)
  await store.commit((write) => [write.delete(accounts).where(eq(accounts.id, input.id))])
  wake.now('accounts')
  wake.now('changes')
}

/** Takes the lease from whoever holds it: its epoch has moved on, so a running sync writes nothing more. */
async function shutSyncOut({ store }: Ctx, accountId: number): Promise<void> {
  const lease = {
    sidecarId: 'removal',
    expiresAt: sql`${databaseNowMs} + ${REMOVAL_LEASE_MS}`,
  }
  await store.commit((write) => [
    write
      .insert(accountLeases)
      .values({ accountId, epoch: 1, ...lease })
      .onConflictDoUpdate({
        target: accountLeases.accountId,
        set: { ...lease, epoch: sql`${accountLeases.epoch} + 1` },
      }),
  ])
}

async function keepSyncOut(tx: Tx, accountId: number): Promise<void> {
  await tx
    .update(accountLeases)
    .set({ expiresAt: sql`${databaseNowMs} + ${REMOVAL_LEASE_MS}` })
    .where(eq(accountLeases.accountId, accountId))
}

/** Some of the account's messages; whether there were any. */
async function removeMessages(ctx: Ctx, accountId: number): Promise<boolean> {
  const { removed, orphaned } = await ctx.store.transaction(async (tx) => {
    await keepSyncOut(tx, accountId)
    const rows = await tx
      .select({ id: messages.id, contentId: messages.contentId })
      .from(messages)
      .where(eq(messages.accountId, accountId))
      .limit(MESSAGES_AT_ONCE)
    const ids = rows.map(({ id }) => id)
    await tx.delete(messages).where(inArray(messages.id, ids))
    const contentIds = rows.map(({ contentId }) => contentId)
    return { removed: rows.length, orphaned: await removeOrphanedContents(tx, contentIds) }
  })
  await forgetSources(ctx, orphaned)
  return removed > 0
}

async function removeThreads(ctx: Ctx, accountId: number): Promise<boolean> {
  return ctx.store.transaction(async (tx) => {
    await keepSyncOut(tx, accountId)
    const rows = await tx
      .select({ id: threads.id })
      .from(threads)
      .where(eq(threads.accountId, accountId))
      .limit(THREADS_AT_ONCE)
    const ids = rows.map(({ id }) => id)
    await tx.delete(threadKeys).where(inArray(threadKeys.threadId, ids))
    await tx.delete(threads).where(inArray(threads.id, ids))
    return ids.length > 0
  })
}
