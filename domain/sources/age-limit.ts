import {
  and,
  desc,
  eq,
  exists,
  gte,
  isNotNull,
  isNull,
  lt,
  min,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Few enough that the database answers in some milliseconds: its driver does not yield. */
const PAGE = 500

/** Whether some message with this content is young enough for its account, or its account keeps all sources. */
export function isWanted(db: Reader, nowMs: number): SQL {
  const isYoung = gte(messages.date, sql`${nowMs} - ${accounts.sourceDays} * ${DAY_MS}`)
  return exists(
    db
      .select({ id: messages.id })
      .from(messages)
      .innerJoin(accounts, eq(accounts.id, messages.accountId))
      .where(and(eq(messages.contentId, contents.id), or(isNull(accounts.sourceDays), isYoung))),
  )
}

/** The age limits of all accounts; another text when one of them has changed. */
export async function ageLimits({ store }: Needs<'store'>): Promise<string> {
  const rows = await store.read
    .select({ id: accounts.id, days: accounts.sourceDays })
    .from(accounts)
    .orderBy(accounts.id)
  return JSON.stringify(rows)
}

/** No source younger than this is too old for anybody; undefined when no account has a limit. Milliseconds UTC. */
export async function strictestLimitMs(
  { store }: Needs<'store'>,
  nowMs: number,
): Promise<number | undefined> {
  const [row] = await store.read
    .select({ days: min(accounts.sourceDays) })
    .from(accounts)
    .where(isNotNull(accounts.sourceDays))
  return typeof row?.days === 'number' ? nowMs - row.days * DAY_MS : undefined
}

/** The date from which on the account keeps sources; -Infinity where it keeps all of them. Milliseconds UTC. */
export async function keptSinceMs(
  { store, clock }: Needs<'store' | 'clock'>,
  accountId: number,
): Promise<number> {
  const [row] = await store.read
    .select({ days: accounts.sourceDays })
    .from(accounts)
    .where(eq(accounts.id, accountId))
  return typeof row?.days === 'number' ? clock.now().getTime() - row.days * DAY_MS : -Infinity
}

export interface PageQuery {
  /** Those whose sources are kept, or those whose sources are not. */
  readonly kept: boolean
  readonly nowMs: number
  /** Only contents with lower ids. */
  readonly below: number
}

export interface ContentOfPage {
  readonly id: number
  readonly sourceHash: string
  readonly isWanted: boolean
}

/** The next contents downwards, which is from the newest to the oldest; none at the end. */
export async function contentPage(
  { store }: Needs<'store'>,
  { kept, nowMs, below }: PageQuery,
): Promise<readonly ContentOfPage[]> {
  const rows = await store.read
    .select({
      id: contents.id,
      sourceHash: contents.sourceHash,
      isWanted: sql<number>`${isWanted(store.read, nowMs)}`,
    })
    .from(contents)
    .where(and(eq(contents.sourceKept, kept), lt(contents.id, below)))
    .orderBy(desc(contents.id))
    .limit(PAGE)
  return rows.map((row) => ({ ...row, isWanted: row.isWanted === 1 }))
}
