import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client.ts'
import { accounts } from '../../../db/schema/accounts.ts'
import { messages } from '../../../db/schema/messages.ts'
import { searchHits, searchJobs, searchParts } from '../../../db/schema/search-jobs.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { requireLease, underLease } from '../../sync/lease.ts'
import { unitOfWork } from '../../unit-of-work.ts'
import type { DuePart } from './due.ts'
import { finishJob } from './finish.ts'

const ROWS_PER_STATEMENT = 500

/** How far a part has come. */
export type PartProgress = Pick<
  typeof searchParts.$inferSelect,
  'foldersTotal' | 'foldersDone' | 'shownIn' | 'warnings'
>

/** A part that has been begun, and what its search asks for. */
export interface BegunPart extends DuePart {
  readonly account: Pick<typeof accounts.$inferSelect, 'id' | 'name' | 'settingsRevision'>
  readonly job: typeof searchJobs.$inferSelect
  readonly progress: PartProgress
  /** How often it was begun, with this time. */
  readonly attempts: number
}

const isOpen = ({ jobSeq, lease }: DuePart) =>
  and(
    eq(searchParts.jobSeq, jobSeq),
    eq(searchParts.accountId, lease.accountId),
    isNull(searchParts.endedAt),
  )

/** Begins a part, or goes on with it; undefined where nobody wants it any more. */
export async function beginPart(ctx: Needs<'store'>, due: DuePart): Promise<BegunPart | undefined> {
  return underLease(ctx, due.lease, async (tx) => {
    const [part] = await tx
      .update(searchParts)
      .set({ attempts: sql`${searchParts.attempts} + 1` })
      .where(isOpen(due))
      .returning()
    const [row] = await tx
      .select({
        job: searchJobs,
        account: {
          id: accounts.id,
          name: accounts.name,
          settingsRevision: accounts.settingsRevision,
        },
      })
      .from(searchJobs)
      .innerJoin(accounts, eq(accounts.id, due.lease.accountId))
      .where(eq(searchJobs.seq, due.jobSeq))
    return part && row && { ...due, ...row, attempts: part.attempts, progress: part }
  })
}

/** Saves how far a part has come; whether anybody still wants it. */
export async function savePart(
  ctx: Needs<'store'>,
  due: DuePart,
  { foldersTotal, foldersDone, shownIn, warnings }: PartProgress,
): Promise<boolean> {
  const saved = await underLease(ctx, due.lease, (tx) =>
    tx
      .update(searchParts)
      .set({ foldersTotal, foldersDone, shownIn, warnings })
      .where(isOpen(due))
      .returning({ jobSeq: searchParts.jobSeq }),
  )
  return saved.length > 0
}

/** Ends a part with the messages that it has found, and the search with the last of its parts. */
export async function endPart(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  due: DuePart,
  { warnings, hits }: { readonly warnings: readonly string[]; readonly hits: readonly number[] },
): Promise<void> {
  await unitOfWork(ctx, async (unit) => {
    await requireLease(unit.tx, due.lease)
    const endedAt = ctx.clock.now().getTime()
    const ended = await unit.tx
      .update(searchParts)
      .set({ endedAt, warnings })
      .where(isOpen(due))
      .returning({ jobSeq: searchParts.jobSeq })
    if (ended.length === 0) return
    await insertHits(unit.tx, due.jobSeq, hits)
    await finishJob(unit, due.jobSeq)
  })
}

/** Those that are still there. */
async function insertHits(tx: Tx, jobSeq: number, hits: readonly number[]): Promise<void> {
  for (let start = 0; start < hits.length; start += ROWS_PER_STATEMENT) {
    const some = hits.slice(start, start + ROWS_PER_STATEMENT)
    const rows = await tx
      .select({ messageId: messages.id })
      .from(messages)
      .where(inArray(messages.id, some))
    if (rows.length > 0)
      await tx.insert(searchHits).values(rows.map(({ messageId }) => ({ jobSeq, messageId })))
  }
}
