import { and, eq, isNull } from 'drizzle-orm'
import { accounts } from '../../../db/schema/accounts.ts'
import { searchJobs, searchParts } from '../../../db/schema/search-jobs.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { type Unit, unitOfWork } from '../../unit-of-work.ts'
import { finishJob } from './finish.ts'

/**
 * Ends what nobody could do since before `startedBeforeMs`, and the searches that have nothing left to do, as where
 * their accounts were removed. Milliseconds UTC.
 */
export async function endAbandoned(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  startedBeforeMs: number,
): Promise<void> {
  const running = await ctx.store.read
    .select({ seq: searchJobs.seq, startedAt: searchJobs.startedAt })
    .from(searchJobs)
    .where(eq(searchJobs.status, 'running'))
  for (const { seq, startedAt } of running) {
    const isLate = startedAt < startedBeforeMs
    if (!isLate && (await hasOpenParts(ctx, seq))) continue
    await unitOfWork(ctx, async (unit) => {
      if (isLate) await giveUpParts(unit, seq, ctx.clock.now().getTime())
      await finishJob(unit, seq)
    })
  }
}

async function hasOpenParts({ store }: Needs<'store'>, jobSeq: number): Promise<boolean> {
  const open = await store.read
    .select({ accountId: searchParts.accountId })
    .from(searchParts)
    .where(and(eq(searchParts.jobSeq, jobSeq), isNull(searchParts.endedAt)))
    .limit(1)
  return open.length > 0
}

async function giveUpParts({ tx }: Unit, jobSeq: number, endedAt: number): Promise<void> {
  const open = await tx
    .select({ accountId: accounts.id, name: accounts.name, warnings: searchParts.warnings })
    .from(searchParts)
    .innerJoin(accounts, eq(accounts.id, searchParts.accountId))
    .where(and(eq(searchParts.jobSeq, jobSeq), isNull(searchParts.endedAt)))
  for (const { accountId, name, warnings } of open)
    await tx
      .update(searchParts)
      .set({ endedAt, warnings: [...warnings, `The account “${name}” was not searched in time.`] })
      .where(and(eq(searchParts.jobSeq, jobSeq), eq(searchParts.accountId, accountId)))
}
