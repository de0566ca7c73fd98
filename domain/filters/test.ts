import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { contentBodies, contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { MESSAGE_COLUMNS, type MessageRow } from '../messages/message-row.ts'
import { checkedConditions } from './checked-conditions.ts'
import { compileFilter, matchesFilter, type FilterRule } from './compile.ts'
import { filterText } from './filter-text.ts'

/** How many of the newest messages are looked at. */
const TESTED_MESSAGES_MAX = 200
/** Whole texts are read, so not many at once. */
const MESSAGES_AT_ONCE = 20

/** What a rule would have matched. */
export interface FilterTest {
  /** How many messages were looked at. */
  readonly looked: number
  /** Those it matches, newest first. */
  readonly matches: readonly MessageRow[]
}

/**
 * Which of the newest 200 messages in the inboxes that a rule is for it would match; nothing is done with them. Throws
 * `invalid_request` for conditions that no rule can have.
 */
export async function testFilter(
  ctx: Needs<'store'>,
  rule: Pick<FilterRule, 'accountId' | 'conditions'>,
): Promise<FilterTest> {
  const conditions = checkedConditions(rule.conditions)
  const filter = compileFilter({ id: 0, accountId: rule.accountId, conditions, actions: [] })
  const newest = await newestInInboxes(ctx, rule.accountId)
  const matches: MessageRow[] = []
  for (let start = 0; start < newest.length; start += MESSAGES_AT_ONCE) {
    const ids = newest.slice(start, start + MESSAGES_AT_ONCE)
    for (const { accountId, text, ...row } of await read(ctx, ids)) {
      if (matchesFilter(filter, filterText({ ...row, accountId, text }))) matches.push(row)
    }
  }
  return { looked: newest.length, matches }
}

async function newestInInboxes(
  { store }: Needs<'store'>,
  accountId: number | null,
): Promise<readonly number[]> {
  const rows = await store.read
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(
      and(
        // A literal: SQLite uses a partial index only where the text of the query implies its condition.
        sql`${messages.inInbox} = 1`,
        isNotRemoved,
        accountId === null ? undefined : eq(messages.accountId, accountId),
      ),
    )
    .orderBy(desc(messages.date), desc(messages.id))
    .limit(TESTED_MESSAGES_MAX)
  return rows.map(({ id }) => id)
}

const read = ({ store }: Needs<'store'>, ids: readonly number[]) =>
  store.read
    .select({ ...MESSAGE_COLUMNS, accountId: messages.accountId, text: contentBodies.text })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(contentBodies, eq(contentBodies.contentId, contents.id))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(inArray(messages.id, [...ids]))
    .orderBy(desc(messages.date), desc(messages.id))
