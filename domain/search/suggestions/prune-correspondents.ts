import { and, asc, eq, gt, notExists, or, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../../../db/client.ts'
import { contents } from '../../../db/schema/contents.ts'
import { correspondents } from '../../../db/schema/correspondents.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { newestMail } from './newest-mail.ts'

const ROWS_AT_ONCE = 20

/**
 * Forgets addresses that stand in no mail any more, and finds the newest mail of those where that has gone, until
 * `signal` aborts.
 */
export async function pruneCorrespondents(
  { store }: Needs<'store'>,
  signal: AbortSignal,
): Promise<void> {
  let after = 0
  while (!signal.aborted) {
    const rows = await doubtful(store.longRead, after)
    after = rows.at(-1)?.id ?? 0
    if (rows.length === 0) return
    await store.transaction(async (tx) => {
      const keys = rows.map(({ key }) => key)
      const senderIds = await newestMail(tx, 'sender', keys)
      const recipientIds = await newestMail(tx, 'recipient', keys)
      for (const { id, key } of rows) {
        const isOne = eq(correspondents.id, id)
        const recipientContentId = recipientIds.get(key)
        const senderContentId = senderIds.get(key) ?? null
        await (recipientContentId === undefined
          ? tx.delete(correspondents).where(isOne)
          : tx.update(correspondents).set({ senderContentId, recipientContentId }).where(isOne))
      }
    })
  }
}

/** Those behind a place of which the newest contents have gone. */
function doubtful(read: Reader, after: number) {
  const { id, key, senderContentId, recipientContentId } = correspondents
  const isGone = (contentId: SQLiteColumn) =>
    and(
      sql`${contentId} is not null`,
      notExists(read.select({ id: contents.id }).from(contents).where(eq(contents.id, contentId))),
    )
  return read
    .select({ id, key })
    .from(correspondents)
    .where(and(gt(id, after), or(isGone(senderContentId), isGone(recipientContentId))))
    .orderBy(asc(id))
    .limit(ROWS_AT_ONCE)
}
