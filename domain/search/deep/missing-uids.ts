import { and, eq, inArray } from 'drizzle-orm'
import { messages } from '../../../db/schema/messages.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { leftBehindUids } from '../../sync/left-behind.ts'

/** Rows that are read in one go: few enough that nothing else waits for it. */
const ROWS_PER_READ = 1_000

/** Those of the folder's UIDs whose messages are not stored, highest first, `countMax` at most. */
export async function missingUids(
  { store, clock }: Needs<'store' | 'clock'>,
  folderId: number,
  { uids, countMax }: { readonly uids: readonly number[]; readonly countMax: number },
): Promise<readonly number[]> {
  const left = await leftBehindUids(store.read, folderId)
  const newestFirst = uids.filter((uid) => !left.has(uid)).toSorted((a, b) => b - a)
  const missing: number[] = []
  for (let start = 0; start < newestFirst.length; start += ROWS_PER_READ) {
    const some = newestFirst.slice(start, start + ROWS_PER_READ)
    const rows = await store.read
      .select({ uid: messages.uid })
      .from(messages)
      .where(and(eq(messages.serverFolderId, folderId), inArray(messages.uid, some)))
    const known = new Set(rows.map(({ uid }) => uid))
    missing.push(...some.filter((uid) => !known.has(uid)))
    if (missing.length >= countMax) break
    await clock.sleep(0)
  }
  return missing.slice(0, countMax)
}
