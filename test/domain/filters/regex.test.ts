import { describe, expect, test } from 'vitest'
import { compileRegex } from '../../../domain/filters/regex.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

test.each([
  ['invoice #[0-9]+', 'your invoice #17', true],
  ['Invoice', 'your invoice #17', false],
  ['(?i)INVOICE', 'your invoice #17', true],
  ['^two$', 'one\ntwo\n', false],
  ['(?m)^two$', 'one\ntwo\n', true],
  ['one.two', 'one\ntwo', false],
  ['(?s)one.two', 'one\ntwo', true],
  ['\\p{Greek}+', 'ένα', true],
  ['^\\x{1F600}$', '😀', true],
  ['^$', '', true],
])('%s in %j: %s', (pattern, text, matches) => {
  expect(compileRegex(pattern)(text)).toBe(matches)
})

describe('refuses', () => {
  test.each(['(', 'a**', '[z-a]', '(?=a)b', '(?<=a)b', '(a)\\1', '\\C', '(?<n>a', 'a{1001}', '\\'])(
    '%s, which is not RE2 syntax',
    (pattern) => {
      expect(() => compileRegex(pattern)).toThrow(/is no regular expression in RE2 syntax: .+\.$/)
    },
  )

  test.each(['.{1000}', '\\pL{1000}'.repeat(100), '(a{0,100}){10}b{100}', 'a{999999999}b{9999}'])(
    '%s, which is too large, at once',
    (pattern) => {
      const start = threadCpuMs()
      expect(() => compileRegex(pattern)).toThrow('The regular expression is too large.')
      expect(threadCpuMs() - start).toBeLessThan(200)
    },
  )
})

describe('takes a second for a megabyte at most', () => {
  // What could be the end of a match is everywhere, and never is.
  const text = scattered(1_000_000)
  test.each([
    '(a+)+[cd]{2}',
    '(a|a)*[cd]{2}',
    '(.*)*[cd]{2}',
    '(?:a?){200}a{200}[cd]{2}',
    '(a|b)*a(a|b){20}[cd]{2}',
    '(?s)\\b(.{0,300}a.{0,100}\\b)[cd]{3}',
    '(?s)(?:[a-m].{200}[b-z]|[b-z].{201}[a-m]).{200}[cd]{3}',
    '(?s)(a|.{0,400})*[cd]{3}',
  ])('%s', { timeout: 30_000 }, (pattern) => {
    const matches = compileRegex(pattern)
    const start = threadCpuMs()
    expect(matches(text)).toBe(false)
    expect(threadCpuMs() - start).toBeLessThan(3000)
  })
})

test('a small pattern reads the longest body there is to its end', () => {
  expect(compileRegex('needle [0-9]+')(`${'hay '.repeat(499_990)}needle 7`)).toBe(true)
})

/** The same text every time, without a pattern in it. */
function scattered(length: number): string {
  const pieces = ['a', 'b', 'm', 'z', 'cx', 'dx', ' ', '\n']
  let seed = 7
  let text = ''
  while (text.length < length) {
    seed = (seed * 48_271) % 2_147_483_647
    text += pieces[seed % pieces.length] ?? ''
  }
  return text
}
