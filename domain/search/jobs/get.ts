import { and, asc, desc, eq } from 'drizzle-orm'
import { accounts } from '../../../db/schema/accounts.ts'
import { contents } from '../../../db/schema/contents.ts'
import { messages } from '../../../db/schema/messages.ts'
import { searchHits, searchJobs, searchParts } from '../../../db/schema/search-jobs.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../../accounts/not-removed.ts'
import { notFound } from '../../errors.ts'
import { MESSAGE_COLUMNS, type MessageRow } from '../../messages/message-row.ts'

/** A deep search and what it has come to. */
export interface SearchJob {
  readonly id: string
  readonly status: 'running' | 'done'
  readonly query: string
  /** Milliseconds UTC. */
  readonly startedAt: number
  /** Of the folders that are known so far; absent while none is. */
  readonly progress?: { readonly foldersDone: number; readonly foldersTotal: number }
  /** In words for people. */
  readonly warnings: readonly string[]
  /** Newest first, without those that have gone since; absent while it runs. */
  readonly results?: readonly MessageRow[]
}

/** Throws `not_found`, also for one that newer ones have taken the place of. */
export async function getSearchJob({ store }: Needs<'store'>, id: string): Promise<SearchJob> {
  const [job] = await store.read.select().from(searchJobs).where(eq(searchJobs.id, id))
  if (!job) throw notFound('search', id)
  const parts = await store.read
    .select()
    .from(searchParts)
    .where(eq(searchParts.jobSeq, job.seq))
    .orderBy(asc(searchParts.accountId))
  const progress = progressOf(parts)
  const { status, query, startedAt } = job
  return {
    id,
    status,
    query,
    startedAt,
    ...(progress && { progress }),
    warnings: [...job.warnings, ...parts.flatMap(({ warnings }) => warnings)],
    ...(status === 'done' && { results: await resultsOf({ store }, job.seq) }),
  }
}

function progressOf(parts: readonly (typeof searchParts.$inferSelect)[]): SearchJob['progress'] {
  const counted = parts.filter(({ foldersTotal }) => foldersTotal !== null)
  if (counted.length === 0) return undefined
  return {
    foldersDone: sum(counted.map(({ foldersDone }) => foldersDone.length)),
    foldersTotal: sum(counted.map(({ foldersTotal }) => foldersTotal ?? 0)),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const resultsOf = ({ store }: Needs<'store'>, jobSeq: number): Promise<readonly MessageRow[]> =>
  store.read
    .select(MESSAGE_COLUMNS)
    .from(searchHits)
    .innerJoin(messages, eq(messages.id, searchHits.messageId))
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(and(eq(searchHits.jobSeq, jobSeq), isNotRemoved))
    .orderBy(desc(messages.date), desc(messages.id))
