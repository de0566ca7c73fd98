import { expect, test } from 'vitest'
import { parseCondition } from '../../../../../cli/commands/local/filters/condition.ts'

test.each([
  ['subject contains invoice', { field: 'subject', op: 'contains', value: 'invoice' }],
  ['from regex ^a b$ ', { field: 'from', op: 'regex', value: '^a b$ ' }],
  ['body contains two\nlines', { field: 'body', op: 'contains', value: 'two\nlines' }],
  ['to contains  x', { field: 'to', op: 'contains', value: ' x' }],
])('%j is a condition', (text, condition) => {
  expect(parseCondition(text)).toEqual(condition)
})

test.each(['', 'subject', 'subject contains', 'subject contains ', 'cc contains x', 'to is x'])(
  '%j is none',
  (text) => {
    expect(parseCondition(text)).toBeUndefined()
  },
)
