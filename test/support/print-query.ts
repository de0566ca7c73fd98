import type { SearchExpression, SearchField } from '../../domain/search/expression.ts'

const DAY_MS = 86_400_000

/** A query that asks for this; ages count from `nowMs`. Brackets stand around everything that has parts. */
export function printQuery(expression: SearchExpression, nowMs: number): string {
  const print = (part: SearchExpression): string => {
    switch (part.kind) {
      case 'and':
        return `(${part.of.map(print).join(' ')})`
      case 'or':
        return `(${part.of.map(print).join(' OR ')})`
      case 'not':
        return `-${print(part.of)}`
      case 'text':
        return `${fieldPrefix(part.field)}"${part.text}"${part.isPrefix ? '*' : ''}`
      case 'trait':
        return `${part.trait === 'attachment' || part.trait === 'link' ? 'has' : 'is'}:${part.trait}`
      case 'label':
        return `label:"${part.label}"`
      case 'account':
        return `account:"${part.account}"`
      case 'in':
        return `in:"${part.folder}"`
      case 'message_id':
        return `msgid:"<${part.messageIdHeader}>"`
      case 'thread':
        return `thread:${part.threadId}`
      case 'size':
        return `${part.than}:${part.bytes}`
      case 'date':
      default:
        return printDate(part, nowMs)
    }
  }
  return print(expression)
}

const fieldPrefix = (field: SearchField): string => (field === 'any' ? '' : `${field}:`)

function printDate(
  { fromMs, beforeMs }: Extract<SearchExpression, { kind: 'date' }>,
  nowMs: number,
): string {
  if (fromMs !== undefined && beforeMs !== undefined) return `on:${dayOf(fromMs)}`
  const instantMs = fromMs ?? beforeMs ?? 0
  const [since, until] =
    instantMs % DAY_MS === 0 ? ['after', 'before'] : ['newer_than', 'older_than']
  const value = instantMs % DAY_MS === 0 ? dayOf(instantMs) : `${(nowMs - instantMs) / DAY_MS}d`
  return `${fromMs === undefined ? until : since}:${value}`
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
