import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { drafts } from '../../db/schema/drafts.ts'

/**
 * Remembers that the server has what it was asked to take of a draft. What was written since goes out in its own time;
 * nothing does where nothing was. `nowMs` is milliseconds UTC.
 */
export async function settlePublished(tx: Tx, draftId: number, nowMs: number): Promise<void> {
  const isNewest = sql`${drafts.revision} = ${drafts.appendingRevision} and ${drafts.removedAt} is null`
  await tx
    .update(drafts)
    .set({
      publishedRevision: drafts.appendingRevision,
      appendingRevision: null,
      unpublishedSince: sql`case when ${isNewest} then null else ${nowMs} end`,
      publishDueAt: sql`case when ${isNewest} then null else ${drafts.publishDueAt} end`,
      publishAttempts: 0,
      publishError: null,
      copyMissedAt: null,
    })
    .where(eq(drafts.id, draftId))
}
