import { and, eq, inArray, isNotNull, ne, notExists } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { filterRuns } from '../../db/schema/filters.ts'
import { messages } from '../../db/schema/messages.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { threadKeys, threads } from '../../db/schema/threads.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { forgetSources, removeOrphanedContents } from '../sync/orphaned-contents.ts'
import { isAbandoned, removalLease } from './removal-lease.ts'

/** How many rows go at once, so that no transaction lasts longer than 20 ms. */
const MESSAGES_AT_ONCE = 50
const THREADS_AT_ONCE = 200
const RUNS_AT_ONCE = 1000
const OUTBOX_ENTRIES_AT_ONCE = 100

export type RemovalPorts = Needs<'store' | 'sourceStore' | 'transcripts' | 'wake'>

/**
 * Takes up the removals that were cut short: those whose process has not been heard of for a while. Ends early when
 * `signal` aborts; one that fails is logged and keeps no other waiting.
 */
export async function finishRemovals(
  ctx: RemovalPorts & Needs<'logger'>,
  signal?: AbortSignal,
): Promise<void> {
  const abandoned = await ctx.store.read
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(accountLeases, eq(accountLeases.accountId, accounts.id))
    .where(and(isNotNull(accounts.removingSince), isAbandoned))
  for (const { id } of abandoned) {
    try {
      await finishRemoval(ctx, id, signal)
    } catch (error) {
      ctx.logger.error('The removal of an account could not be finished.', error, { accountId: id })
    }
  }
}

/**
 * Removes everything that is stored of an account whose removal has begun, and last the account itself. Can be cut
 * off anywhere, by `signal` too, and run again, also by several at once.
 */
export async function finishRemoval(
  ctx: RemovalPorts,
  accountId: number,
  signal?: AbortSignal,
): Promise<void> {
  for (const removeSome of [removeMessages, removeThreads, removeFilterRuns, removeOutbox]) {
    let isAnyLeft = true
    while (isAnyLeft) {
      if (signal?.aborted) return
      isAnyLeft = await removeSome(ctx, accountId)
    }
  }
  await ctx.transcripts.remove(accountId)
  await ctx.store.commit((write) => [write.delete(accounts).where(eq(accounts.id, accountId))])
  ctx.wake.now('accounts')
  ctx.wake.now('changes')
}

/** Some of the account's messages; whether there were any. */
async function removeMessages(ctx: RemovalPorts, accountId: number): Promise<boolean> {
  const rows = await ctx.store.read
    .select({ id: messages.id, contentId: messages.contentId })
    .from(messages)
    .where(eq(messages.accountId, accountId))
    .limit(MESSAGES_AT_ONCE)
  if (rows.length === 0) return false
  const contentIds = rows.map(({ contentId }) => contentId)
  await removeSources(ctx, accountId, contentIds)
  const orphaned = await ctx.store.transaction(async (tx) => {
    await renew(tx, accountId)
    await tx.delete(messages).where(
      inArray(
        messages.id,
        rows.map(({ id }) => id),
      ),
    )
    return removeOrphanedContents(tx, contentIds)
  })
  await forgetSources(ctx, orphaned)
  return true
}

/** Before their rows go: nobody would know of sources that a crash in between left behind. */
async function removeSources(
  { store, sourceStore }: RemovalPorts,
  accountId: number,
  contentIds: readonly number[],
): Promise<void> {
  const elsewhere = store.read
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.contentId, contents.id), ne(messages.accountId, accountId)))
  const rows = await store.read
    .select({ sourceHash: contents.sourceHash })
    .from(contents)
    .where(and(inArray(contents.id, [...contentIds]), notExists(elsewhere)))
  for (const { sourceHash } of rows) await sourceStore.delete(sourceHash)
}

async function removeThreads(ctx: RemovalPorts, accountId: number): Promise<boolean> {
  return ctx.store.transaction(async (tx) => {
    await renew(tx, accountId)
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

async function removeFilterRuns(ctx: RemovalPorts, accountId: number): Promise<boolean> {
  return ctx.store.transaction(async (tx) => {
    await renew(tx, accountId)
    const runs = await tx
      .select({ sourceHash: filterRuns.sourceHash })
      .from(filterRuns)
      .where(eq(filterRuns.accountId, accountId))
      .limit(RUNS_AT_ONCE)
    const hashes = runs.map(({ sourceHash }) => sourceHash)
    await tx
      .delete(filterRuns)
      .where(and(eq(filterRuns.accountId, accountId), inArray(filterRuns.sourceHash, hashes)))
    return hashes.length > 0
  })
}

async function removeOutbox(ctx: RemovalPorts, accountId: number): Promise<boolean> {
  return ctx.store.transaction(async (tx) => {
    await renew(tx, accountId)
    const rows = await tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(eq(outbox.accountId, accountId))
      .limit(OUTBOX_ENTRIES_AT_ONCE)
    const ids = rows.map(({ id }) => id)
    await tx.delete(outbox).where(inArray(outbox.id, ids))
    return ids.length > 0
  })
}

const renew = (tx: Tx, accountId: number) =>
  tx.update(accountLeases).set(removalLease).where(eq(accountLeases.accountId, accountId))
