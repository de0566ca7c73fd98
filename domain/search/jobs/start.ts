import { and, desc, eq, inArray, isNull, lt, type SQLWrapper, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client.ts'
import { accounts } from '../../../db/schema/accounts.ts'
import { searchJobs, searchParts } from '../../../db/schema/search-jobs.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../../accounts/not-removed.ts'
import { invalidRequest } from '../../errors.ts'
import { unitOfWork } from '../../unit-of-work.ts'
import type { SearchExpression } from '../expression.ts'
import { parseQuery } from '../parse-query.ts'
import { readSearchNames } from '../resolve-names.ts'
import { toCondition } from '../to-condition.ts'
import { finishJob } from './finish.ts'
import { type JobScope, jobScope, type WantedScope } from './job-scope.ts'

/** Older ones are forgotten (contract section 1). */
const JOBS_KEPT = 32

export interface StartDeepSearch extends WantedScope {
  readonly query: string
  /** How many messages are wanted at most, the newest. */
  readonly limit: number
}

/** A search as it was started; milliseconds UTC. */
export type StartedSearch = Pick<typeof searchJobs.$inferSelect, 'id' | 'query' | 'startedAt'>

/**
 * Starts a search of the mail servers, which the sidecars carry out. While one runs that was asked the same, there is
 * no second: the running one is given. Throws `invalid_request` for a blank query, and `not_found` for an unknown
 * folder or account.
 */
export async function startDeepSearch(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  { query, limit, ...wanted }: StartDeepSearch,
): Promise<StartedSearch> {
  if (query.trim() === '') throw invalidRequest('The query is blank.')
  const startedAt = ctx.clock.now().getTime()
  const { expression, warnings } = parseQuery(query, startedAt)
  const unknown = expression ? await unknownNames(ctx, expression) : []
  const { only, accountIds } = await jobScope(ctx, wanted)
  const started = await unitOfWork(ctx, async (unit) => {
    const { tx } = unit
    const running = await findRunning(tx, { query, limit, ...only })
    if (running) return running
    const inScope = expression ? await accountsOf(tx, accountIds) : []
    const isPaused = ({ state }: (typeof inScope)[number]) => state === 'paused'
    const job = await insertJob(tx, {
      query,
      limit,
      ...only,
      startedAt,
      warnings: [
        ...warnings,
        ...unknown,
        ...inScope.filter(isPaused).map(({ name }) => `The account “${name}” is paused.`),
      ],
    })
    const parts = inScope
      .filter((account) => !isPaused(account))
      .map(({ id }) => ({ jobSeq: job.seq, accountId: id, ...NOTHING_DONE }))
    if (parts.length > 0) await tx.insert(searchParts).values(parts)
    else await finishJob(unit, job.seq)
    return job
  })
  ctx.wake.now('searches')
  return started
}

const NOTHING_DONE = { foldersDone: [], shownIn: [], warnings: [] }

/** Without labels: the servers may have some that are not known here yet. */
async function unknownNames(
  ctx: Needs<'store'>,
  expression: SearchExpression,
): Promise<ReadonlySet<string>> {
  const unknown = new Set<string>()
  const names = await readSearchNames(ctx, expression, (warning) => void unknown.add(warning))
  toCondition(expression, { ...names, labelLists: () => [] })
  return unknown
}

const accountsOf = (tx: Tx, accountIds: JobScope['accountIds']) =>
  tx
    .select({ id: accounts.id, name: accounts.name, state: accounts.state })
    .from(accounts)
    .where(and(isNotRemoved, accountIds && inArray(accounts.id, [...accountIds])))

async function findRunning(
  tx: Tx,
  { query, limit, accountId, folderId }: JobScope['only'] & Omit<StartDeepSearch, 'account'>,
): Promise<StartedSearch | undefined> {
  const [running] = await tx
    .select()
    .from(searchJobs)
    .where(
      and(
        eq(searchJobs.status, 'running'),
        eq(searchJobs.query, query),
        eq(searchJobs.limit, limit),
        isOnly(searchJobs.accountId, accountId),
        isOnly(searchJobs.folderId, folderId),
      ),
    )
    .limit(1)
  return running
}

const isOnly = (column: SQLWrapper, id: number | undefined) =>
  id === undefined ? isNull(column) : eq(column, id)

/** In place of the oldest, even where that still runs. */
async function insertJob(
  tx: Tx,
  job: Omit<typeof searchJobs.$inferInsert, 'seq' | 'id' | 'status'>,
): Promise<typeof searchJobs.$inferSelect> {
  const id = `search_${crypto.randomUUID().replaceAll('-', '')}`
  const [inserted] = await tx
    .insert(searchJobs)
    .values({ ...job, id, status: 'running' })
    .returning()
  if (!inserted) throw new Error('A search was not stored.')
  const oldestKept = tx
    .select({ seq: searchJobs.seq })
    .from(searchJobs)
    .orderBy(desc(searchJobs.seq))
    .limit(1)
    .offset(JOBS_KEPT - 1)
  await tx.delete(searchJobs).where(lt(searchJobs.seq, sql`(${oldestKept})`))
  return inserted
}
