import { negated } from './combine.ts'
import type { SearchExpression, SearchField, SearchTrait } from './expression.ts'
import type { TermToken } from './query-tokens.ts'

/** What the value of an operator is, and the time that ages count from, in milliseconds UTC. */
interface OperatorValue extends Pick<TermToken, 'text' | 'isQuoted' | 'isPrefix'> {
  readonly nowMs: number
}

type ReadValue = (value: OperatorValue) => SearchExpression | undefined

const DAY_MS = 86_400_000
const SIZE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
}

const inField =
  (field: SearchField): ReadValue =>
  ({ text, isPrefix }) => ({ kind: 'text', field, text, isPrefix })

/** One whose value is not searched for words: a star at its end is a character of it. */
const plain =
  (read: (text: string) => SearchExpression | undefined): ReadValue =>
  ({ text, isQuoted, isPrefix }) =>
    read((isPrefix && !isQuoted ? `${text}*` : text).trim())

const trait = (name: SearchTrait): SearchExpression => ({ kind: 'trait', trait: name })

const oneOf = (values: Readonly<Record<string, SearchExpression>>): ReadValue =>
  plain((text) =>
    Object.hasOwn(values, text.toLowerCase()) ? values[text.toLowerCase()] : undefined,
  )

/** The operators of contract section 5; the value of one that cannot be read gives undefined. */
const OPERATORS: Readonly<Record<string, ReadValue>> = {
  from: inField('from'),
  to: inField('to'),
  cc: inField('cc'),
  bcc: inField('bcc'),
  subject: inField('subject'),
  body: inField('body'),
  filename: inField('filename'),
  label: plain((label) => ({ kind: 'label', label })),
  account: plain((account) => ({ kind: 'account', account })),
  in: plain((folder) => ({ kind: 'in', folder })),
  msgid: plain((text) => {
    const messageIdHeader = text.replace(/^</, '').replace(/>$/, '')
    return messageIdHeader === '' ? undefined : { kind: 'message_id', messageIdHeader }
  }),
  thread: plain((text) => {
    const threadId = /^\d+$/.test(text) ? Number(text) : 0
    return Number.isSafeInteger(threadId) && threadId > 0 ? { kind: 'thread', threadId } : undefined
  }),
  is: oneOf({
    read: trait('read'),
    unread: negated(trait('read')),
    starred: trait('starred'),
    unstarred: negated(trait('starred')),
    answered: trait('answered'),
    draft: trait('draft'),
  }),
  has: oneOf({ attachment: trait('attachment'), link: trait('link') }),
  before: onDay((startMs) => ({ kind: 'date', beforeMs: startMs })),
  after: onDay((startMs) => ({ kind: 'date', fromMs: startMs })),
  on: onDay((startMs) => ({ kind: 'date', fromMs: startMs, beforeMs: startMs + DAY_MS })),
  older_than: ago((instantMs) => ({ kind: 'date', beforeMs: instantMs })),
  newer_than: ago((instantMs) => ({ kind: 'date', fromMs: instantMs })),
  larger: ofSize((bytes) => ({ kind: 'size', than: 'larger', bytes })),
  smaller: ofSize((bytes) => ({ kind: 'size', than: 'smaller', bytes })),
}

/** Whether there is an operator of this name, in any case. */
export const isOperator = (name: string): boolean => Object.hasOwn(OPERATORS, name.toLowerCase())

/** What an operator asks for; undefined where there is none of this name or its value cannot be read. */
export function operatorTerm(name: string, value: OperatorValue): SearchExpression | undefined {
  if (!isOperator(name) || value.text.trim() === '') return undefined
  return OPERATORS[name.toLowerCase()]?.(value)
}

/** A day of the UTC calendar that exists, by its first instant. */
function onDay(make: (startMs: number) => SearchExpression): ReadValue {
  return plain((text) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
    const startMs = Date.parse(`${text}T00:00:00Z`)
    const exists = !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(text)
    return exists ? make(startMs) : undefined
  })
}

/** Before now; months and years are those of the UTC calendar. */
function ago(make: (instantMs: number) => SearchExpression): ReadValue {
  return (value) =>
    plain((text) => {
      const [, count, unit] = /^(\d{1,5})([dwmy])$/i.exec(text) ?? []
      if (count === undefined || unit === undefined) return undefined
      return make(instantBefore(value.nowMs, Number(count), unit.toLowerCase()))
    })(value)
}

function instantBefore(nowMs: number, count: number, unit: string): number {
  if (unit === 'd' || unit === 'w') return nowMs - count * (unit === 'w' ? 7 : 1) * DAY_MS
  const now = new Date(nowMs)
  const month = now.getUTCMonth() - count * (unit === 'y' ? 12 : 1)
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return Math.max(
    new Date(nowMs).setUTCFullYear(
      now.getUTCFullYear(),
      month,
      Math.min(now.getUTCDate(), lastDay),
    ),
    EARLIEST_MS,
  )
}

/** Nothing is older, by far; years before it are no safe ground for calendars. */
const EARLIEST_MS = Date.UTC(1, 0, 1)

/** Powers of 1024, as mail programs count. */
function ofSize(make: (bytes: number) => SearchExpression): ReadValue {
  return plain((text) => {
    const [, count, unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)(b|[kmg]b?)?$/i.exec(text) ?? []
    if (count === undefined) return undefined
    const bytes = Math.round(Number(count) * (SIZE_UNITS[unit.charAt(0).toLowerCase()] ?? 1))
    return Number.isSafeInteger(bytes) ? make(bytes) : undefined
  })
}
