import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { parseQuery } from '../../../domain/search/parse-query.ts'
import { printQuery } from '../../support/print-query.ts'
import { anyQuery } from '../../support/any-query.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

/** Not the start of a day, so that ages and days cannot be taken for each other. */
const NOW = Date.UTC(2024, 4, 31, 13, 5)
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

const parse = (query: string) => parseQuery(query, NOW)
/** In a form that is short to read: brackets around all that has parts. */
const read = (query: string) => {
  const { expression } = parse(query)
  return expression === undefined ? '' : printQuery(expression, NOW)
}

describe('what a query asks for', () => {
  test.each([
    ['foo bar', '("foo" "bar")'],
    ['a OR b c', '("a" OR ("b" "c"))'],
    ['a b OR c', '(("a" "b") OR "c")'],
    ['a (b OR c)', '("a" ("b" OR "c"))'],
    ['a AND b', '("a" "b")'],
    ['a AND b OR c AND d', '(("a" "b") OR ("c" "d"))'],
    ['a or b', '("a" "or" "b")'],
    ['((a)) (b (c d))', '("a" "b" "c" "d")'],
    ['a OR (b OR c)', '("a" OR "b" OR "c")'],
    ['"foo bar" baz', '("foo bar" "baz")'],
    ['“smart quotes” „and“ ＂these＂', '("smart quotes" "and" "these")'],
    ['word* "two wor"* a-bcd* wor**', '("word"* "two wor"* "a-bcd"* "wor"*)'],
    ['-a', '-"a"'],
    ['-"a b" -(a b) -(-c)', '(-"a b" -("a" "b") "c")'],
    ['-from:ada -(x)', '(-from:"ada" -"x")'],
    ['well-known e-mail a- -', '("well-known" "e-mail" "a-")'],
    ['--verbose', '"--verbose"'],
    ['5"disk', '("5" "disk")'],
    ['f(x)', '("f" "x")'],
    ['\u200ffrom:ada\u200e\ufeff', 'from:"ada"'],
    ['a\0b', '("a" "b")'],
    ['https://example.org/a?b=c:d', '"https://example.org/a?b=c:d"'],
    ['10:30 Re: note:', '("10:30" "Re:" "note:")'],
  ])('%s', (query, expected) => {
    expect(read(query)).toBe(expected)
  })

  test.each([
    ['FROM:Ada To:b cC:c bcc:d', '(from:"Ada" to:"b" cc:"c" bcc:"d")'],
    ['subject:"a bc"* body:cd* filename:pdf', '(subject:"a bc"* body:"cd"* filename:"pdf")'],
    ['from:ada@example.org', 'from:"ada@example.org"'],
    ['from:(ada OR grace) x', '((from:"ada" OR from:"grace") "x")'],
    ['from:(ada -to:b (cd*))', '(from:"ada" -to:"b" from:"cd"*)'],
    ['label:(a OR "b c")', '(label:"a" OR label:"b c")'],
    [
      'label:a* in:"To Do" in:Sent account:Work',
      '(label:"a*" in:"To Do" in:"Sent" account:"Work")',
    ],
    ['is:read is:UNREAD', '(is:read -is:read)'],
    ['is:starred is:unstarred -is:unstarred', '(is:starred -is:starred is:starred)'],
    [
      'is:answered is:draft has:attachment has:link',
      '(is:answered is:draft has:attachment has:link)',
    ],
    ['msgid:<a@b> msgid:a@b', '(msgid:"<a@b>" msgid:"<a@b>")'],
    ['thread:0017', 'thread:17'],
  ])('%s', (query, expected) => {
    expect(parse(query).warnings).toEqual([])
    expect(read(query)).toBe(expected)
  })

  test.each([
    ['before:2024-03-01', { beforeMs: day('2024-03-01') }],
    ['after:2024-03-01', { fromMs: day('2024-03-01') }],
    ['on:2024-02-29', { fromMs: day('2024-02-29'), beforeMs: day('2024-03-01') }],
    ['older_than:7d', { beforeMs: NOW - 7 * 86_400_000 }],
    ['newer_than:2W', { fromMs: NOW - 14 * 86_400_000 }],
    ['newer_than:3m', { fromMs: Date.UTC(2024, 1, 29, 13, 5) }],
    ['older_than:1y', { beforeMs: Date.UTC(2023, 4, 31, 13, 5) }],
    ['older_than:99999y', { beforeMs: expect.any(Number) }],
  ])('%s', (query, expected) => {
    expect(parse(query)).toEqual({ expression: { kind: 'date', ...expected }, warnings: [] })
  })

  test.each([
    ['larger:500', 'larger', 500],
    ['larger:500kb', 'larger', 512_000],
    ['larger:2MB', 'larger', 2_097_152],
    ['smaller:1.5k', 'smaller', 1_536],
    ['smaller:3G', 'smaller', 3_221_225_472],
  ])('%s', (query, than, bytes) => {
    expect(parse(query)).toEqual({ expression: { kind: 'size', than, bytes }, warnings: [] })
  })
})

describe('what is no valid operator is searched for as text, and said', () => {
  test.each([
    ['from:', '"from:"'],
    ['from: ada', '("from:" "ada")'],
    ['from:""', '"from:"'],
    ['is:foo', '"is:foo"'],
    ['foo:bar', '"foo:bar"'],
    ['foo:"a b"', '"foo:a b"'],
    ['foo:(a b)', '("foo" "a" "b")'],
    ['is:(read OR foo)', '(is:read OR "foo")'],
    ['before:tomorrow', '"before:tomorrow"'],
    ['on:2024-02-30', '"on:2024-02-30"'],
    ['newer_than:7', '"newer_than:7"'],
    ['larger:big', '"larger:big"'],
    ['thread:x', '"thread:x"'],
    ['thread:0', '"thread:0"'],
    ['msgid:<>', '"msgid:<>"'],
    ['OR', '"OR"'],
    ['a OR', '("a" "OR")'],
    ['AND a', '("AND" "a")'],
    ['(OR a)', '("OR" "a")'],
    ['constructor:a', '"constructor:a"'],
    ['is:constructor', '"is:constructor"'],
  ])('%s', (query, expected) => {
    expect(read(query)).toBe(expected)
    expect(parse(query).warnings).toEqual([expect.stringContaining('no valid operator')])
  })

  test('FTS5, SQL and IMAP mean nothing', () => {
    expect(read('NEAR(a b, 5) ^x {y} NOT z')).toBe('("NEAR" "a" "b," "5" "^x" "{y}" "NOT" "z")')
    expect(read("x'; DROP TABLE messages; --")).toBe(`("x';" "DROP" "TABLE" "messages;")`)
    expect(read('a {3}\r\nb LOGOUT')).toBe('("a" "{3}" "b" "LOGOUT")')
  })
})

describe('what is left out is said', () => {
  test.each([
    ['(a', '"a"', 'not closed'],
    ['a) b', '("a" "b")', 'closing bracket'],
    ['"a b', '("a" "b")', 'without a partner'],
    ['a OR "b', '("a" OR "b")', 'without a partner'],
    ['😀 a', '"a"', '“😀”'],
    ['from:😀 a', '"a"', '“from:😀”'],
    ['*', '', '“*”'],
    ['()', '', 'nothing'],
    ['-()', '', 'nothing'],
    ['a* b', '("a" "b")', 'too short'],
    ['aa* bb* cc* dd*', '("aa"* "bb"* "cc" "dd")', 'too many short prefixes'],
  ])('%s', (query, expected, warning) => {
    expect(read(query)).toBe(expected)
    expect(parse(query).warnings).toEqual([expect.stringContaining(warning)])
  })

  test('terms, words, characters and levels above their bounds', () => {
    const many = parse(Array.from({ length: 300 }, (_, n) => `is:read w${n}`).join(' '))
    expect(many.expression).toMatchObject({ kind: 'and', of: { length: 100 } })
    expect(many.warnings).toEqual(['Only the first 100 terms were searched for.'])
    const words = read(`"${Array.from({ length: 150 }, (_, n) => `w${n}`).join(' ')}" x`)
    expect(words).toMatch(/^"w0 .* w99 ?"$/)
    expect(read('東'.repeat(5_000))).toBe(`"${'東'.repeat(101)}"`)
    expect(read(`${'('.repeat(2_000)}a${')'.repeat(2_000)} b`)).toBe('("a" "b")')
    expect(parse('a'.repeat(10_001)).warnings).toHaveLength(1)
    expect(parse(`${'a'.repeat(9_999)}😀`).expression).toMatchObject({ kind: 'text' })
  })
})

test('any text is read, in no time, and says why where nothing is left of it', () => {
  fc.assert(
    fc.property(fc.oneof(anyQuery, fc.string({ unit: 'binary', maxLength: 300 })), (query) => {
      const { expression, warnings } = parse(query)
      if (query.trim() !== '' && expression === undefined) expect(warnings).not.toEqual([])
      expect(warnings.every((warning) => warning.length < 200)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('what is printed and read again is the same', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const { expression } = parse(query)
      fc.pre(expression !== undefined)
      if (expression) expect(parse(printQuery(expression, NOW)).expression).toEqual(expression)
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  ['brackets', '('.repeat(1e6)],
  ['quotation marks', '"'.repeat(1e6 + 1)],
  ['terms', 'a '.repeat(5e5)],
  ['unspaced words', '東京都に住む '.repeat(1e5)],
  ['a word', 'a_'.repeat(5e5)],
  ['operators', 'foo:x '.repeat(2e5)],
])('a megabyte of %s is read within 100 ms', (_what, query) => {
  parse(query)
  const startMs = threadCpuMs()
  parse(query)
  expect(threadCpuMs() - startMs).toBeLessThan(100)
})
