import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { makeSnippet, SNIPPET_CHARS_MAX } from '../../../domain/mime/snippet.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

test('white space and the invisible padding of previews are folded', () => {
  expect(makeSnippet(' Hello\r\n\t\u00a0 there\u200c \u034f\u00ad\ufeff friend \0')).toBe(
    'Hello there friend',
  )
})

test.each([
  [
    'Read on ( https://click.example/8f?x=(1 ) today',
    'Read on ( https://click.example/8f?x=(1 ) today',
  ],
  ['Read on ( https://click.example/8f?x=1 ) today', 'Read on today'],
  ['Shop\n[https://shop.example/logo.png]<https://shop.example>\nSale!', 'Shop Sale!'],
  ['Write to Ada <mailto:ada@example.org>.', 'Write to Ada .'],
  ['See https://example.org/plan (the plan)', 'See https://example.org/plan (the plan)'],
  [
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0"><style>p{}</style><p>Hello &amp; bye',
    'Hello & bye',
  ],
  ['\r\n<html lang=en><body>Hello', 'Hello'],
  ['<https://example.org/all>', '<https://example.org/all>'],
  ['<3 and <html> in a text', '<3 and <html> in a text'],
])('%j begins with what people read (peer: MailFlow #249)', (text, snippet) => {
  expect(makeSnippet(text)).toBe(snippet)
})

test('endless brackets and links take no time', () => {
  const startedAtMs = threadCpuMs()
  for (const text of ['( '.repeat(4_000), '<https://'.repeat(900), `(http://${'x'.repeat(8_000)}`])
    makeSnippet(text)
  expect(threadCpuMs() - startedAtMs).toBeLessThan(500)
})

test('a surrogate pair is never cut', () => {
  const text = `${'x'.repeat(199)}😀 and more`
  expect(makeSnippet(text)).toBe('x'.repeat(199))
})

test('any text gives at most 200 characters of well-formed text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      const snippet = makeSnippet(text)
      expect(snippet.length).toBeLessThanOrEqual(SNIPPET_CHARS_MAX)
      expect(snippet.isWellFormed()).toBe(true)
      expect(snippet.trim()).toBe(snippet)
    }),
  )
})
