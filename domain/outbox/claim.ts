import { and, asc, desc, eq, inArray, lte, notInArray, or, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { databaseNowMs, isOver } from '../database-time.ts'
import { isOpen } from './open.ts'
import { hasPlace, type Underway } from './places.ts'

/** How long a sidecar that stopped renewing keeps what it has claimed. */
export const CLAIM_MS = 30_000

/** Few at a time: there are no more places. */
const LOOKED_AT = 10

/** An entry that this sidecar alone may send. */
export type ClaimedEntry = typeof outbox.$inferSelect & { readonly claimedBy: string }

/** What was claimed, and whether anything else may be due that has no place yet or was not looked at. */
interface Claims {
  readonly claimed: readonly ClaimedEntry[]
  readonly isMoreDue: boolean
}

interface Claiming {
  readonly sidecarId: string
  readonly underway: readonly Underway[]
  /** Accounts whose servers could not be asked of late: only what somebody waits for is tried there. */
  readonly restingAccountIds: readonly number[]
}

/** `CLAIM_MS` from now. */
export const claimEnd = sql<number>`${databaseNowMs} + ${CLAIM_MS}`

/** Whether an entry is free for whoever comes: it was never claimed, or its claim has expired. */
export const isClaimOver = isOver(outbox.claimedUntil, CLAIM_MS)

/**
 * Claims entries that are due and for which there is a place, those first that somebody waits for; also what another
 * sidecar has claimed and left before it began to hand it over. Counts as an attempt.
 */
export async function claimDue(
  { store, clock }: Needs<'store' | 'clock'>,
  { sidecarId, underway, restingAccountIds }: Claiming,
): Promise<Claims> {
  const isDue = and(
    isOpen,
    eq(outbox.status, 'scheduled'),
    lte(outbox.nextAttemptAt, clock.now().getTime()),
    isClaimOver,
  )
  const due = await store.read
    .select({ id: outbox.id, accountId: outbox.accountId, isImmediate: outbox.isImmediate })
    .from(outbox)
    .innerJoin(accounts, eq(accounts.id, outbox.accountId))
    .where(and(isDue, isNotRemoved, mayHavePlace(underway, restingAccountIds)))
    .orderBy(desc(outbox.isImmediate), asc(outbox.nextAttemptAt), asc(outbox.id))
    .limit(LOOKED_AT)
  const taken = [...underway]
  for (const entry of due) if (hasPlace(entry, taken)) taken.push(entry)
  const ids = taken.slice(underway.length).map(({ id }) => id)
  const isMoreDue = due.length === LOOKED_AT || due.length > ids.length || isAnyFull(taken)
  if (ids.length === 0) return { claimed: [], isMoreDue }
  const attempts = sql`${outbox.attempts} + 1`
  const [claimed] = await store.commit((write) => [
    write
      .update(outbox)
      .set({ claimedBy: sidecarId, claimedUntil: claimEnd, attempts })
      .where(and(inArray(outbox.id, ids), isDue))
      .returning(),
  ])
  return { claimed: claimed.map((entry) => ({ ...entry, claimedBy: sidecarId })), isMoreDue }
}

/** Whether what is under way leaves another entry of one of its accounts without a place. */
const isAnyFull = (underway: readonly Underway[]) =>
  underway.some(({ accountId }) => !hasPlace({ accountId, isImmediate: false }, underway))

/** Leaves out whole accounts, so that their backlog does not hide what others have to send. */
function mayHavePlace(underway: readonly Underway[], resting: readonly number[]) {
  const accountIds = [...new Set(underway.map(({ accountId }) => accountId))]
  const full = (isImmediate: boolean) =>
    accountIds.filter((accountId) => !hasPlace({ accountId, isImmediate }, underway))
  return and(
    notInArray(
      outbox.id,
      underway.map(({ id }) => id),
    ),
    or(
      and(eq(outbox.isImmediate, true), notInArray(outbox.accountId, full(true))),
      and(
        eq(outbox.isImmediate, false),
        notInArray(outbox.accountId, [...full(false), ...resting]),
      ),
    ),
  )
}
