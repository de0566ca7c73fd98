import { sql } from 'drizzle-orm'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { getAccountId } from '../accounts/get-id.ts'
import { invalidRequest } from '../errors.ts'
import { requireFolder } from '../folders/require-folder.ts'
import type { MessageRow } from '../messages/message-row.ts'
import { decodeCursor, type Page } from '../paging.ts'
import { prepared } from '../prepared.ts'
import { type Condition, every } from './condition.ts'
import { findMessages, type SearchBounds } from './find-messages.ts'
import { parseQuery } from './parse-query.ts'
import { isBoundByDate, planSearch } from './plan-search.ts'
import { readSearchNames } from './resolve-names.ts'
import { toCondition } from './to-condition.ts'

export interface SearchLocal {
  readonly query: string
  readonly limit: number
  readonly cursor?: string | undefined
  /** The name of the account to search in. */
  readonly account?: string | undefined
  /** The folder to search in. */
  readonly folderId?: number | undefined
}

const BOUNDS: SearchBounds = { slice: 2_048, lookedAtMax: 100_000 }

export interface SearchPage extends Page<MessageRow> {
  /** In words for people: what of the query was read in another way than it looks, or not at all. */
  readonly warnings: readonly string[]
}

/**
 * Messages of the store that a query asks for (contract section 5), in all folders, newest first; a message is found
 * in each place where it is. Pages stay whole while mail arrives, and are full unless they are the last or the search
 * would take too long: then one goes on where it stopped. Throws `invalid_request` for a blank query or a bad cursor,
 * and `not_found` for an unknown account or folder.
 */
export async function searchLocal(
  ctx: Needs<'store' | 'clock'>,
  input: SearchLocal,
  bounds = BOUNDS,
): Promise<SearchPage> {
  if (input.query.trim() === '') throw invalidRequest('The query is blank.')
  const [contentId, messageId] = input.cursor ? decodeCursor(input.cursor, 2) : []
  const scope = await scopeOf(ctx, input)
  const { expression, warnings } = parseQuery(input.query, ctx.clock.now().getTime())
  if (!expression) return { items: [], warnings }
  const warned = new Set(warnings)
  const names = await readSearchNames(ctx, expression, (warning) => void warned.add(warning))
  const condition = every([...scope, toCondition(expression, names)])
  const datesAreIds = isBoundByDate(condition) && (await areDatesIds(ctx))
  const page = await findMessages(ctx, planSearch(condition, { datesAreIds }), {
    limit: input.limit,
    bounds,
    after:
      contentId === undefined || messageId === undefined ? undefined : { contentId, messageId },
  })
  return { ...page, warnings: [...warned] }
}

async function scopeOf(
  ctx: Needs<'store'>,
  { account, folderId }: SearchLocal,
): Promise<readonly Condition[]> {
  const scope: Condition[] = []
  if (account !== undefined) {
    const values = [await getAccountId(ctx, account)]
    scope.push({ kind: 'among', column: 'accountId', values })
  }
  if (folderId !== undefined) {
    const values = [await requireFolder(ctx, folderId)]
    scope.push({ kind: 'among', column: 'folderId', values })
  }
  return scope
}

/** Whether each message has the date that the id of its content says, as all have but copies of undated ones. */
async function areDatesIds({ store }: Needs<'store'>): Promise<boolean> {
  return (await oddDates(store.read).all()).length === 0
}

const oddDates = prepared((read) =>
  read
    .select({ id: messages.contentId })
    .from(messages)
    // As the index of these has it.
    .where(sql`content_id / 65536 <> date / 1000`)
    .limit(1)
    .prepare(),
)
