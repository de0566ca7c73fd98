import { and, asc, eq, gt, lte, notExists, or } from 'drizzle-orm'
import { alias, QueryBuilder } from 'drizzle-orm/sqlite-core'
import { accounts } from '../../../db/schema/accounts.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'

/** How many copies are filed in one go: changes that somebody makes meanwhile come in between. */
const COPIES_AT_ONCE = 10

/** How long nothing may have been sent before copies are filed, so that nobody waits behind them. */
export const COPY_AFTER_MS = 300
/** A copy does not wait longer, however much is sent. */
const COPY_WITHIN_MS = 10_000

const later = alias(outbox, 'later')

/**
 * Which copies are to be filed in Sent now: those whose time has come, once the account has sent nothing for a moment.
 * `nowMs` is milliseconds UTC.
 */
export const isCopyDue = (nowMs: number) =>
  and(
    eq(outbox.copy, 'wanted'),
    lte(outbox.nextCopyAt, nowMs),
    or(lte(outbox.nextCopyAt, nowMs - COPY_WITHIN_MS), notExists(sentJustNow(nowMs))),
  )

/** Copies of the same account that were never tried and whose time is to come. */
const sentJustNow = (nowMs: number) =>
  new QueryBuilder()
    .select({ id: later.id })
    .from(later)
    .where(
      and(
        eq(later.accountId, outbox.accountId),
        eq(later.copy, 'wanted'),
        gt(later.nextCopyAt, nowMs),
        eq(later.copyAttempts, 0),
      ),
    )

/** The ids of entries of the account whose copies are to be filed in Sent now, oldest first. */
export async function dueCopies(
  { store, clock }: Needs<'store' | 'clock'>,
  accountId: number,
): Promise<readonly number[]> {
  const rows = await store.read
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.accountId, accountId), isCopyDue(clock.now().getTime())))
    .orderBy(asc(outbox.id))
    .limit(COPIES_AT_ONCE)
  return rows.map(({ id }) => id)
}

/** A sent message whose copy is to be filed. */
export type WantedCopy = NonNullable<Awaited<ReturnType<typeof findDueCopy>>>

/** The entry, if its copy is still to be filed now. */
export async function findDueCopy({ store, clock }: Needs<'store' | 'clock'>, id: number) {
  const [row] = await store.read
    .select({
      id: outbox.id,
      accountId: outbox.accountId,
      message: outbox.message,
      messageIdHeader: outbox.messageIdHeader,
      date: outbox.date,
      copyAttempts: outbox.copyAttempts,
      sentCopy: accounts.sentCopy,
    })
    .from(outbox)
    .innerJoin(accounts, eq(accounts.id, outbox.accountId))
    .where(and(eq(outbox.id, id), isCopyDue(clock.now().getTime())))
  return row
}
