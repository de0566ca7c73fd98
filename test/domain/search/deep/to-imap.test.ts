import { describe, expect, test } from 'vitest'
import { type SearchedMailbox, toImap } from '../../../../domain/search/deep/to-imap.ts'
import type { SearchExpression, SearchField } from '../../../../domain/search/expression.ts'
import type { SearchCriterion } from '../../../../runtime/ports/search-criterion.ts'

const MAILBOX: SearchedMailbox = {
  isOf: (account) => account === 'work',
  isIn: (folder) => (folder === 'labels' ? undefined : folder === 'here'),
  messageIdsOf: (threadId) => (threadId === 7 ? ['a@example.org', 'ü@example.org'] : []),
  isOfDrafts: false,
  hasGmailLabels: false,
}
const ALL = { kind: 'all' }
const word = (text: string, field: SearchField = 'any'): SearchExpression => ({
  kind: 'text',
  field,
  text,
  isPrefix: false,
})
const not = (of: SearchExpression): SearchExpression => ({ kind: 'not', of })
const both = (...of: SearchExpression[]): SearchExpression => ({ kind: 'and', of })
const either = (...of: SearchExpression[]): SearchExpression => ({ kind: 'or', of })
const inFolder = (folder: string): SearchExpression => ({ kind: 'in', folder })
const label = (name: string): SearchExpression => ({ kind: 'label', label: name })
const contains = (text: string, part = 'text') => ({ kind: 'contains', part, text })
const seen = { kind: 'flag', flag: '\\Seen' }
const read: SearchExpression = { kind: 'trait', trait: 'read' }
const header = (name: string, text: string) => ({ kind: 'header', name, text })
const date = (of: string, than: string, day: string) => ({
  kind: 'date',
  of,
  than,
  dayMs: Date.parse(day),
})
const eitherDate = (than: string, day: string) => ({
  kind: 'or',
  of: [date('internal_date', than, day), date('date_header', than, day)],
})

test.each<readonly [string, SearchExpression, unknown]>([
  ['a word', word('Engine'), contains('Engine')],
  ['a word in a field', word('ada', 'from'), contains('ada', 'from')],
  [
    'a prefix',
    { kind: 'text', field: 'body', text: 'eng', isPrefix: true },
    contains('eng', 'body'),
  ],
  [
    'a phrase, over line breaks too',
    word('to order, it'),
    { kind: 'and', of: [contains('to'), contains('order'), contains('it')] },
  ],
  [
    'an address by its words',
    word('ada@example.org', 'to'),
    { kind: 'and', of: [contains('ada', 'to'), contains('example', 'to'), contains('org', 'to')] },
  ],
  [
    'a word as it was written, and folded',
    word('Straße'),
    { kind: 'or', of: [contains('Straße'), contains('strasse')] },
  ],
  [
    'what folding takes apart',
    word('1½'),
    { kind: 'or', of: [contains('1½'), { kind: 'and', of: [contains('11'), contains('2')] }] },
  ],
  ['characters without spaces', word('日本'), contains('日本')],
  ['a long word by its beginning', word('x'.repeat(5_000)), contains('x'.repeat(60))],
  ['a file name, of which nobody can be asked', word('invoice', 'filename'), ALL],
  ['a flag', read, seen],
  ['what has no flag', not(read), { kind: 'not', of: seen }],
  ['attachments', { kind: 'trait', trait: 'attachment' }, ALL],
  ['no attachments', not({ kind: 'trait', trait: 'attachment' }), ALL],
  ['what does not hold a word, which may hold it in another', not(word('engine')), ALL],
  [
    'a size',
    { kind: 'size', than: 'larger', bytes: 5 },
    { kind: 'size', than: 'larger', bytes: 5 },
  ],
  [
    'not a size',
    not({ kind: 'size', than: 'smaller', bytes: 5 }),
    { kind: 'size', than: 'larger', bytes: 4 },
  ],
  ['a label', label('Work'), { kind: 'keyword', keyword: 'Work' }],
  ['no such label', not(label('Work')), { kind: 'not', of: { kind: 'keyword', keyword: 'Work' } }],
  ['a label with a space', label('to do'), { kind: 'keyword', keyword: 'to&ACA-do' }],
  ['no label with a space', not(label('to do')), ALL],
  [
    'a label in any case',
    label('büro'),
    {
      kind: 'or',
      of: ['büro', 'Büro', 'BÜRO'].map((_, index) => ({
        kind: 'keyword',
        keyword: ['b&APw-ro', 'B&APw-ro', 'B&ANw-RO'][index],
      })),
    },
  ],
  ['no label that there can be', not(label('$Forwarded')), ALL],
  ['a Message-ID', { kind: 'message_id', messageIdHeader: 'a@b' }, header('Message-ID', 'a@b')],
  ['one that cannot be sought', { kind: 'message_id', messageIdHeader: 'a\r\nb' }, ALL],
  ['another one', not({ kind: 'message_id', messageIdHeader: 'a@b' }), ALL],
  [
    'a conversation',
    { kind: 'thread', threadId: 7 },
    {
      kind: 'or',
      of: ['Message-ID', 'References', 'In-Reply-To'].map((name) => header(name, 'a@example.org')),
    },
  ],
  [
    'a day, and one more at each end',
    { kind: 'date', fromMs: Date.parse('2026-03-02'), beforeMs: Date.parse('2026-03-03') },
    {
      kind: 'and',
      of: [eitherDate('since', '2026-03-01'), eitherDate('before', '2026-03-05')],
    },
  ],
  [
    'what is not of a day',
    not({ kind: 'date', fromMs: Date.parse('2026-03-02'), beforeMs: Date.parse('2026-03-03') }),
    {
      kind: 'or',
      of: [...eitherDate('before', '2026-03-04').of, ...eitherDate('since', '2026-03-02').of],
    },
  ],
  ['what is after all time', not({ kind: 'date', fromMs: Date.UTC(9999, 0, 1) }), ALL],
  ['the account', both({ kind: 'account', account: 'work' }, read), seen],
  ['the folder', both(inFolder('here'), read), seen],
  ['not another folder', both(not(inFolder('there')), read), seen],
  ['another folder or a flag', either(inFolder('there'), read), seen],
  ['this folder or a flag', either(inFolder('here'), read), ALL],
  ['where some of it may be', both(inFolder('labels'), read), seen],
  ['where some of it may not be', both(not(inFolder('labels')), read), seen],
  [
    'neither of two, of which one is no more than likely',
    not(either(word('engine'), read)),
    { kind: 'not', of: seen },
  ],
  ['not both of two', not(both(word('engine'), read)), ALL],
])('asks for %s', (_, expression, criterion) => {
  expect(toImap(expression, MAILBOX)).toEqual(criterion)
})

test.each<readonly [string, SearchExpression]>([
  ['another account', { kind: 'account', account: 'home' }],
  ['another folder', both(word('x'), inFolder('there'))],
  ['not this folder', both(word('x'), not(inFolder('here')))],
  ['either of two others', either(inFolder('there'), both(inFolder('elsewhere'), word('x')))],
  ['a label that nothing can have', label('NonJunk')],
  ['a conversation that nobody knows', { kind: 'thread', threadId: 8 }],
  ['before all time', { kind: 'date', beforeMs: 0 }],
])('asks for nothing: %s', (_, expression) => {
  expect(toImap(expression, MAILBOX)).toBeUndefined()
})

test('Gmail is asked for its labels too', () => {
  const gmail = { ...MAILBOX, hasGmailLabels: true }
  expect(toImap(label('to do'), gmail)).toEqual({
    kind: 'or',
    of: [
      { kind: 'keyword', keyword: 'to&ACA-do' },
      { kind: 'gmail_label', label: 'to do' },
    ],
  })
  expect(toImap(not(label('Work')), gmail)).toEqual(ALL)
})

describe('a query longer than a command may be', () => {
  const words = (count: number) =>
    Array.from({ length: count }, (_, index) => word(`w${index}${'x'.repeat(40)}`))
  const sizeOf = (criterion: SearchCriterion | undefined) => JSON.stringify(criterion).length

  test('keeps as many of the words that must all be there as fit', () => {
    const criterion = toImap(both(...words(10_000), read), MAILBOX)
    expect(criterion).toMatchObject({ kind: 'and' })
    expect(sizeOf(criterion)).toBeLessThan(12_000)
    expect(sizeOf(criterion)).toBeGreaterThan(4_000)
  })

  test('does without those of which one is enough', () => {
    expect(toImap(either(...words(10_000)), MAILBOX)).toEqual(ALL)
    expect(toImap(both(either(...words(10_000)), read), MAILBOX)).toEqual(seen)
  })
})
