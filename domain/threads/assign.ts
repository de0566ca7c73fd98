import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { messages } from '../../db/schema/messages.ts'
import { threadKeys, threads } from '../../db/schema/threads.ts'
import { groupByKey } from './group-by-key.ts'

/** How many Message-IDs of one message count: a References header can be made arbitrarily long. */
const KEYS_MAX = 100

/** What threads a message: its own Message-ID and those it refers to. */
export interface Threaded {
  readonly messageIdHeader?: string
  readonly references: readonly string[]
}

/**
 * The thread of each message by the Message-IDs they share with each other and with what is stored (never by
 * subject). Messages end up in the same threads in whatever order they arrive: one that refers to several
 * threads joins them, the oldest id survives, and the others stay behind as aliases.
 */
export async function assignThreads<Message extends Threaded>(
  tx: Tx,
  accountId: number,
  arrivals: readonly Message[],
): Promise<ReadonlyMap<Message, number>> {
  const keysOf = new Map(arrivals.map((arrival) => [arrival, threadingKeys(arrival)]))
  const known = await knownThreads(tx, accountId, [...keysOf.values()].flat())
  const groups = groupByKey(keysOf, known)
  const withoutThread = groups.filter((group) => group.threadIds.size === 0)
  const created = await createThreads(tx, accountId, withoutThread.length)

  const threadOf = new Map<Message, number>()
  const newKeys: (typeof threadKeys.$inferInsert)[] = []
  for (const group of groups) {
    const threadId = await survivingThread(tx, group.threadIds, created)
    for (const member of group.members) threadOf.set(member, threadId)
    for (const messageIdHeader of group.keys) {
      if (!known.has(messageIdHeader)) newKeys.push({ accountId, messageIdHeader, threadId })
    }
  }
  if (newKeys.length > 0) await tx.insert(threadKeys).values(newKeys)
  return threadOf
}

/** The message's own key and its newest references: those join it to its neighbours. */
function threadingKeys({ messageIdHeader, references }: Threaded): readonly string[] {
  const keys = messageIdHeader === undefined ? references : [...references, messageIdHeader]
  return [...new Set(keys)].slice(-KEYS_MAX)
}

async function knownThreads(
  tx: Tx,
  accountId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await tx
    .select({ key: threadKeys.messageIdHeader, threadId: threadKeys.threadId })
    .from(threadKeys)
    .where(
      and(
        eq(threadKeys.accountId, accountId),
        inArray(threadKeys.messageIdHeader, [...new Set(keys)]),
      ),
    )
  return new Map(rows.map(({ key, threadId }) => [key, threadId]))
}

async function createThreads(tx: Tx, accountId: number, count: number): Promise<number[]> {
  if (count === 0) return []
  const rows = await tx
    .insert(threads)
    .values(Array.from({ length: count }, () => ({ accountId })))
    .returning({ id: threads.id })
  return rows.map(({ id }) => id)
}

async function survivingThread(
  tx: Tx,
  threadIds: ReadonlySet<number>,
  created: number[],
): Promise<number> {
  const [survivor, ...others] = [...threadIds].toSorted((a, b) => a - b)
  if (survivor === undefined) {
    const fresh = created.shift()
    if (fresh === undefined) throw new Error('Fewer threads were created than groups need one.')
    return fresh
  }
  if (others.length > 0) await joinThreads(tx, survivor, others)
  return survivor
}

/** Aliases point at the survivor directly, never at each other, so that following one is a single step. */
async function joinThreads(tx: Tx, survivor: number, others: readonly number[]): Promise<void> {
  await tx.update(messages).set({ threadId: survivor }).where(inArray(messages.threadId, others))
  await tx
    .update(threadKeys)
    .set({ threadId: survivor })
    .where(inArray(threadKeys.threadId, others))
  await tx.update(threads).set({ joinedTo: survivor }).where(inArray(threads.joinedTo, others))
  await tx.update(threads).set({ joinedTo: survivor }).where(inArray(threads.id, others))
}
