import { and, between, type Column, not, or, sql, type SQL } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { contents } from '../../db/schema/contents.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { searchIndex } from '../../db/search-index.ts'
import type { Condition, SearchedFlag } from './condition.ts'

type Value = string | number

/** A condition on rows of `messages`, its values apart from it. */
export interface ConditionSql {
  /** Equal for conditions that differ in their values only. */
  readonly shape: string
  readonly values: Readonly<Record<string, Value>>
  /** With placeholders for the values, and for `low` and `high`, between which the ids of contents are. */
  build(read: Reader): SQL
}

/**
 * A condition on rows that come from the index of another column, in its order; or, where it `isSought`, one by which
 * rows are sought in the index of its own.
 */
export function conditionSql(condition: Condition, { isSought = false } = {}): ConditionSql {
  const values: Record<string, Value> = {}
  const bind = (value: Value) => {
    const name = `value${Object.keys(values).length}`
    values[name] = value
    return sql`${sql.placeholder(name)}`
  }
  // SQLite takes an index only for a column that stands by itself.
  const column = (own: Column) => (isSought ? sql`${own}` : sql`+${own}`)
  return { values, ...partOf(condition, { bind, column }) }
}

interface Part {
  readonly shape: string
  readonly build: (read: Reader) => SQL
}

interface Writer {
  readonly bind: (value: Value) => SQL
  readonly column: (own: Column) => SQL
}

function partOf(condition: Condition, writer: Writer): Part {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return combined(condition, writer)
    case 'not': {
      const { shape, build } = partOf(condition.of, writer)
      // As the index of these has it.
      if (shape === 'read') return { shape: 'unread', build: () => sql`${messages.read} = 0` }
      return { shape: `not ${shape}`, build: (read) => not(build(read)) }
    }
    case 'match': {
      const match = writer.bind(condition.match)
      const contentId = writer.column(messages.contentId)
      return {
        shape: 'match',
        build: (read) => sql`${contentId} in ${matches(read, match)}`,
      }
    }
    case 'flag':
      return { shape: condition.flag, build: () => FLAGS[condition.flag] }
    case 'among':
    case 'labels':
    case 'message_id':
    case 'size':
    case 'date':
    default:
      return leafOf(condition, writer)
  }
}

type Leaf = Extract<Condition, { kind: 'among' | 'labels' | 'message_id' | 'size' | 'date' }>

function leafOf(condition: Leaf, { bind, column }: Writer): Part {
  switch (condition.kind) {
    case 'among': {
      const list = listed(bind(JSON.stringify(condition.values)))
      return leaf(condition.column, sql`${column(messages[condition.column])} in ${list}`)
    }
    case 'labels': {
      const list = listed(bind(JSON.stringify(condition.values)))
      // Said so that the index of the labels that are there can be used.
      return leaf(
        'labels',
        sql`(${messages.labels} <> '[]' and ${column(messages.labels)} in ${list})`,
      )
    }
    case 'message_id':
      return leaf(
        'message_id',
        sql`${column(messages.contentId)} in (select ${contents.id} from ${contents} where ${contents.messageIdHeader} = ${bind(condition.messageIdHeader)})`,
      )
    case 'size': {
      const compared = sql.raw(condition.than === 'larger' ? '>' : '<')
      return leaf(
        condition.than,
        ofContent(sql`${contents.size} ${compared} ${bind(condition.bytes)}`),
      )
    }
    case 'date':
    default:
      return dated(condition, bind)
  }
}

const leaf = (shape: string, condition: SQL): Part => ({ shape, build: () => condition })

function combined({ kind, of }: Extract<Condition, { kind: 'and' | 'or' }>, writer: Writer): Part {
  const parts = of.map((part) => partOf(part, writer))
  const join = kind === 'and' ? and : or
  return {
    shape: `(${parts.map(({ shape }) => shape).join(` ${kind} `)})`,
    build: (read) =>
      join(...parts.map(({ build }) => build(read))) ?? sql.raw(String(kind === 'and')),
  }
}

function dated(
  { fromMs, beforeMs }: Extract<Condition, { kind: 'date' }>,
  bind: Writer['bind'],
): Part {
  const from = fromMs === undefined ? undefined : sql`${messages.date} >= ${bind(fromMs)}`
  const before = beforeMs === undefined ? undefined : sql`${messages.date} < ${bind(beforeMs)}`
  const shape = [from && 'from', before && 'before'].filter(Boolean).join(' ')
  return leaf(`date ${shape}`, and(from, before) ?? sql`true`)
}

/** A sub-query of its own, so that it can stand wherever a message does; the content is a page of its own to read. */
const ofContent = (condition: SQL): SQL =>
  sql`exists (select 1 from ${contents} where ${contents.id} = ${messages.contentId} and ${condition})`

/** They are read once for all messages, so only those between the bounds are. */
const matches = (read: Reader, match: SQL) =>
  read
    .select({ id: searchIndex.rowid })
    .from(searchIndex)
    .where(
      and(
        sql`${searchIndex} match ${match}`,
        between(searchIndex.rowid, sql.placeholder('low'), sql.placeholder('high')),
      ),
    )

const listed = (json: SQL): SQL => sql`(select value from json_each(${json}))`

const FLAGS: Readonly<Record<SearchedFlag, SQL>> = {
  read: sql`${messages.read} = 1`,
  starred: sql`${messages.starred} = 1`,
  answered: sql`${messages.answered} = 1`,
  draft: sql`(${messages.draftId} is not null or exists (
    select 1 from ${folders} where ${folders.id} = ${messages.folderId} and ${folders.specialUse} = 'drafts'))`,
}
