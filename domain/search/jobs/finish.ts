import { and, count, desc, eq, isNull, notInArray } from 'drizzle-orm'
import { messages } from '../../../db/schema/messages.ts'
import { searchHits, searchJobs, searchParts } from '../../../db/schema/search-jobs.ts'
import type { Unit } from '../../unit-of-work.ts'

/**
 * Ends the search once all of its parts have ended, and tells of it: in the transaction that ends the last part, so
 * exactly once.
 */
export async function finishJob({ tx, emit }: Unit, jobSeq: number): Promise<void> {
  const [job] = await tx
    .select()
    .from(searchJobs)
    .where(and(eq(searchJobs.seq, jobSeq), eq(searchJobs.status, 'running')))
  const [open] = await tx
    .select({ parts: count() })
    .from(searchParts)
    .where(and(eq(searchParts.jobSeq, jobSeq), isNull(searchParts.endedAt)))
  if (!job || open?.parts !== 0) return
  const newest = await tx
    .select({ id: searchHits.messageId })
    .from(searchHits)
    .innerJoin(messages, eq(messages.id, searchHits.messageId))
    .where(eq(searchHits.jobSeq, jobSeq))
    .orderBy(desc(messages.date), desc(messages.id))
    .limit(job.limit + 1)
  const listed = newest.slice(0, job.limit).map(({ id }) => id)
  const isMore = newest.length > listed.length
  if (isMore)
    await tx
      .delete(searchHits)
      .where(and(eq(searchHits.jobSeq, jobSeq), notInArray(searchHits.messageId, listed)))
  const warnings = isMore
    ? [...job.warnings, `More than ${job.limit} messages were found: these are the newest.`]
    : job.warnings
  await tx
    .update(searchJobs)
    .set({ status: 'done', results: listed.length, warnings })
    .where(eq(searchJobs.seq, jobSeq))
  await emit([{ kind: 'search.completed', jobSeq }])
}
