import type { FilterCondition } from '../../db/schema/filters.ts'

type Field = FilterCondition['field']

/** What people write into rules, each with a number of its own; two in five look at the body. */
const CONTAINS: readonly (readonly [field: Field, value: (n: number) => string])[] = [
  ['from', (n) => `sender${n}@bench.test`],
  ['body', (n) => `Your order ${1_000 + n} has been shipped`],
  ['subject', (n) => `[Project ${n}]`],
  ['body', (n) => `Tracking number 00${n}`],
  ['to', (n) => `reader+list${n}@bench.test`],
]
const REGEXES: typeof CONTAINS = [
  ['from', (n) => `(?i)^(no-?reply|notifications?)${n}@.*\\.bench\\.test$`],
  ['body', (n) => `(?i)\\b(invoice|receipt)\\s+#?${n}\\d{4,}\\b`],
  ['subject', (n) => `(?i)^(re|fwd?):\\s*\\[ticket-${n}\\d+\\]`],
  ['body', (n) => `\\b[A-Z]{2}${n}-\\d{6}\\b`],
  ['to', (n) => `(?i)\\breader\\+(news|shop)${n}@bench\\.test\\b`],
]

/** Conditions of `count` rules that seldom match, half of them texts and half regular expressions. */
export function generatedConditions(count: number): readonly FilterCondition[] {
  return Array.from({ length: count }, (_, n) => {
    const kinds = n % 2 === 0 ? CONTAINS : REGEXES
    const own = Math.floor(n / 2)
    const [field, value] = kinds[own % kinds.length] ?? ['subject', String]
    return { field, op: n % 2 === 0 ? 'contains' : 'regex', value: value(own) }
  })
}
