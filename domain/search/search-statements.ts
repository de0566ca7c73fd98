import { and, between, desc, eq, exists, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import { searchIndex } from '../../db/search-index.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { MESSAGE_COLUMNS } from '../messages/message-row.ts'
import { preparedPer } from '../prepared.ts'
import type { ConditionSql } from './condition-sql.ts'

/** Where matches are looked for: in the index, among all messages, or in contents that are known by their ids. */
type SearchSource = 'index' | 'messages' | 'ids'

/** A search without its values. */
export interface SearchShape {
  readonly source: SearchSource
  /** What the source leaves to be checked. */
  readonly rest: ConditionSql | undefined
}

const shapeKey = ({ source, rest }: SearchShape) => `${source} ${rest?.shape ?? ''}`

/**
 * The prepared query of a page, newest first: messages between the contents `low` and `high`, after the message
 * `beforeId` of the content `beforeContentId`. Run it with these, `rows`, the values of the rest, and what the source
 * needs: `ids`, or `match` and `slice`, the number of contents that are looked at. Each row is a JSON array of the
 * columns of a list and, last, the id of the content: the driver takes longer for the fields of many rows than the
 * search does.
 */
export const pageQuery = preparedPer(shapeKey, (read, shape: SearchShape) =>
  pageStatement(read, shape).prepare(),
)

function pageStatement(read: Reader, { source, rest }: SearchShape) {
  const wanted = and(isAfterCursor, rest?.build(read))
  return read
    .select({ row: FOUND_ROW })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(and(isNotRemoved, wanted, isFrom(read, source, wanted)))
    .orderBy(desc(messages.contentId), desc(messages.id))
    .limit(sql.placeholder('rows'))
}

const FOUND_ROW = sql<string>`json_array(${sql.join(
  [...Object.values(MESSAGE_COLUMNS), messages.contentId].map((column) => sql`${column}`),
  sql`, `,
)})`

const isBetween = between(messages.contentId, sql.placeholder('low'), sql.placeholder('high'))

const isAfterCursor = sql`(${messages.contentId}, ${messages.id}) < (${sql.placeholder('beforeContentId')}, ${sql.placeholder('beforeId')})`

function isFrom(read: Reader, source: SearchSource, wanted: SQL | undefined): SQL {
  if (source === 'messages') return isBetween
  if (source === 'ids')
    return sql`${messages.contentId} in (select value from json_each(${sql.placeholder('ids')}))`
  return inArray(messages.contentId, newestMatches(read, wanted))
}

/**
 * As many contents of the index, in its own order, as the page can take: the index stops there, or after a slice. Each
 * has a message that is wanted, so that the page is full. To sort the candidates again would be to look at all of them.
 */
function newestMatches(read: Reader, wanted: SQL | undefined) {
  const candidates = read
    .select({ candidateId: sql<number>`${searchIndex.rowid}`.as('candidate_id') })
    .from(searchIndex)
    .where(isMatched)
    .orderBy(desc(searchIndex.rowid))
    .limit(sql.placeholder('slice'))
    .as('candidates')
  const wantedOne = read
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.contentId, candidates.candidateId), isOfAccount, wanted))
  return read
    .select({ id: candidates.candidateId })
    .from(candidates)
    .where(exists(wantedOne))
    .limit(sql.placeholder('rows'))
}

const isMatched = and(
  sql`${searchIndex} match ${sql.placeholder('match')}`,
  between(searchIndex.rowid, sql.placeholder('low'), sql.placeholder('high')),
)

/** There is hardly ever one that is being removed, so that nothing has to be looked up. */
const isOfAccount = sql`${messages.accountId} not in (select ${accounts.id} from ${accounts} where ${isNotNull(accounts.removingSince)})`

/** The prepared query of the content that is `skipped` further down from `high` in the source, if there is one. */
export const boundaryQuery = preparedPer(String, (read, source: 'index' | 'messages') =>
  (source === 'index'
    ? read
        .select({ id: searchIndex.rowid })
        .from(searchIndex)
        .where(isMatched)
        .orderBy(desc(searchIndex.rowid))
    : read
        .select({ id: messages.contentId })
        .from(messages)
        .where(isBetween)
        .orderBy(desc(messages.contentId))
  )
    .limit(1)
    .offset(sql.placeholder('skipped'))
    .prepare(),
)
