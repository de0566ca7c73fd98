import { and, desc, eq, gte, sql, type SQL } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { preparedPer } from '../prepared.ts'
import { MESSAGE_COLUMNS } from './message-row.ts'

/** Which conditions a list has; their values are placeholders, so there are only some hundred shapes. */
export interface ListShape {
  readonly folder: boolean
  readonly unread: boolean | undefined
  readonly starred: boolean | undefined
  readonly since: boolean
  readonly from: boolean
  readonly to: boolean
  readonly subject: boolean
  readonly cursor: boolean
}

/** The prepared query of a list; run it with `folderId, since, from, to, subject, date, id, rows`. */
export const listQuery = preparedPer(shapeKey, (read: Reader, shape: ListShape) =>
  listStatement(read, shape).prepare(),
)

/** The statement behind it, newest first. */
export const listStatement = (read: Reader, shape: ListShape) =>
  read
    .select(MESSAGE_COLUMNS)
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(and(...conditions(shape)))
    .orderBy(desc(messages.date), desc(messages.id))
    .limit(sql.placeholder('rows'))

function shapeKey(shape: ListShape): string {
  return Object.values(shape).join(' ')
}

/**
 * The flags are literals, not parameters: SQLite uses a partial index only where the query's text implies its
 * condition. `instr` rather than LIKE, for what people type holds `%` and `_`.
 */
function conditions(shape: ListShape): (SQL | undefined)[] {
  return [
    isNotRemoved,
    shape.folder
      ? eq(messages.folderId, sql.placeholder('folderId'))
      : sql`${messages.inInbox} = 1`,
    flag(sql`${messages.read}`, shape.unread === undefined ? undefined : !shape.unread),
    flag(sql`${messages.starred}`, shape.starred),
    shape.since ? gte(messages.date, sql.placeholder('since')) : undefined,
    contains(shape.from, sql`${contents.fromFolded}`, 'from'),
    contains(shape.to, sql`${contents.toFolded}`, 'to'),
    contains(shape.subject, sql`${contents.subjectFolded}`, 'subject'),
    shape.cursor
      ? sql`(${messages.date}, ${messages.id}) < (${sql.placeholder('date')}, ${sql.placeholder('id')})`
      : undefined,
  ]
}

const flag = (column: SQL, value: boolean | undefined): SQL | undefined =>
  value === undefined ? undefined : sql`${column} = ${sql.raw(value ? '1' : '0')}`

const contains = (asked: boolean, column: SQL, name: string): SQL | undefined =>
  asked ? sql`instr(${column}, ${sql.placeholder(name)}) > 0` : undefined
