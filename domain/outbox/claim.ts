import {
  and,
  asc,
  desc,
  eq,
  inArray,
  lte,
  type Placeholder,
  sql,
  type SQLWrapper,
} from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { databaseNowMs, isOver } from '../database-time.ts'
import { prepared } from '../prepared.ts'
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
  /** Accounts whose servers can be spoken to at once: what somebody waits for is `sending` there with its claim. */
  readonly readyAccountIds: readonly number[]
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
  { sidecarId, underway, restingAccountIds, readyAccountIds }: Claiming,
): Promise<Claims> {
  const nowMs = clock.now().getTime()
  const due = await dueEntries(store.read).all({
    nowMs,
    ...withoutPlace(underway, restingAccountIds),
  })
  const taken = [...underway]
  for (const entry of due) if (hasPlace(entry, taken)) taken.push(entry)
  const ids = taken.slice(underway.length).map(({ id }) => id)
  const isMoreDue = due.length === LOOKED_AT || due.length > ids.length || isAnyFull(taken)
  if (ids.length === 0) return { claimed: [], isMoreDue }
  const [claimed] = await store.commit((write) => [
    write
      .update(outbox)
      .set({
        claimedBy: sidecarId,
        claimedUntil: claimEnd,
        attempts: sql`${outbox.attempts} + 1`,
        status: statusWhereReady(readyAccountIds),
      })
      .where(and(inArray(outbox.id, ids), isDueAt(nowMs)))
      .returning(),
  ])
  return { claimed: claimed.map((entry) => ({ ...entry, claimedBy: sidecarId })), isMoreDue }
}

const isDueAt = (nowMs: number | Placeholder) =>
  and(isOpen, eq(outbox.status, 'scheduled'), lte(outbox.nextAttemptAt, nowMs), isClaimOver)

const dueEntries = prepared((read) =>
  read
    .select({ id: outbox.id, accountId: outbox.accountId, isImmediate: outbox.isImmediate })
    .from(outbox)
    .innerJoin(accounts, eq(accounts.id, outbox.accountId))
    .where(
      and(
        isDueAt(sql.placeholder('nowMs')),
        isNotRemoved,
        isNoneOf(outbox.id, 'underwayIds'),
        sql`case when ${outbox.isImmediate} then ${isNoneOf(outbox.accountId, 'full')}
          else ${isNoneOf(outbox.accountId, 'fullForScheduled')} end`,
      ),
    )
    .orderBy(desc(outbox.isImmediate), asc(outbox.nextAttemptAt), asc(outbox.id))
    .limit(LOOKED_AT)
    .prepare(),
)

const isNoneOf = (column: SQLWrapper, name: string) =>
  sql`${column} not in (select value from json_each(${sql.placeholder(name)}))`

/** Lists as JSON of what has no place: whole accounts, so that their backlog does not hide what others have to send. */
function withoutPlace(underway: readonly Underway[], resting: readonly number[]) {
  const accountIds = [...new Set(underway.map(({ accountId }) => accountId))]
  const full = (isImmediate: boolean) =>
    accountIds.filter((accountId) => !hasPlace({ accountId, isImmediate }, underway))
  return {
    underwayIds: JSON.stringify(underway.map(({ id }) => id)),
    full: JSON.stringify(full(true)),
    fullForScheduled: JSON.stringify([...full(false), ...resting]),
  }
}

/** A transaction less where somebody waits: over a connection that is there, the go-ahead comes within moments. */
const statusWhereReady = (accountIds: readonly number[]) =>
  sql`case when ${and(eq(outbox.isImmediate, true), inArray(outbox.accountId, [...accountIds]))}
    then 'sending' else ${outbox.status} end`

/** Whether what is under way leaves another entry of one of its accounts without a place. */
const isAnyFull = (underway: readonly Underway[]) =>
  underway.some(({ accountId }) => !hasPlace({ accountId, isImmediate: false }, underway))
