import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { drafts } from '../../db/schema/drafts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Draft } from './draft-record.ts'

/** How many drafts are published in one go. */
const DRAFTS_AT_ONCE = 50

/** The account's drafts that its server is to be told of now, those that wait longest first. */
export async function dueDrafts(
  { store, clock }: Needs<'store' | 'clock'>,
  accountId: number,
): Promise<readonly Draft[]> {
  return store.read
    .select()
    .from(drafts)
    .where(
      and(
        eq(drafts.accountId, accountId),
        isNotNull(drafts.publishDueAt),
        lte(drafts.publishDueAt, clock.now().getTime()),
      ),
    )
    .orderBy(asc(drafts.publishDueAt))
    .limit(DRAFTS_AT_ONCE)
}

const FIRST_DELAY_MS = 2_000
const DELAY_MAX_MS = 5 * 60_000

/** When to try again after so many attempts: twice as late each time, five minutes at most. */
export const retryTime = (nowMs: number) =>
  sql`${nowMs} + min(${DELAY_MAX_MS}, ${FIRST_DELAY_MS} << min(${drafts.publishAttempts}, 20))`
