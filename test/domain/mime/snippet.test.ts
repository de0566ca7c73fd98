import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { makeSnippet, SNIPPET_CHARS_MAX } from '../../../domain/mime/snippet.ts'

test('white space and the invisible padding of previews are folded', () => {
  expect(makeSnippet(' Hello\r\n\t\u00a0 there\u200c \u034f\u00ad\ufeff friend \0')).toBe(
    'Hello there friend',
  )
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
