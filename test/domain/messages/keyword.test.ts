import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keywordOf, labelOf } from '../../../domain/messages/keyword.ts'
import { isLabelName } from '../../../domain/messages/label-name.ts'

/** The characters of an atom (RFC 3501 section 9). */
const ATOM = /^[^\0-\x20\x7f-\uffff(){%*"\\\]]+$/

describe('a label and the keyword it is kept by', () => {
  test.each([
    ['bills', 'bills'],
    ['R&D', 'R&-D'],
    // RFC 3501 section 5.1.3.
    ['~peter/mail/台北/日本語', '~peter/mail/&U,BTFw-/&ZeVnLIqe-'],
    ['Entwürfe', 'Entw&APw-rfe'],
    ['to do', 'to&ACA-do'],
    ['a & b', 'a&ACA-&-&ACA-b'],
    ['zu lesen ✓', 'zu&ACA-lesen&ACAnEw-'],
    ['📧', '&2D3c5w-'],
    ['"q" (x) {y} %*\\]', '&ACI-q&ACIAIAAo-x&ACkAIAB7-y}&ACAAJQAqAFwAXQ-'],
    ['&ACA-', '&-ACA-'],
  ])('%s: %s', (label, keyword) => {
    expect(keywordOf(label)).toBe(keyword)
    expect(labelOf(keyword)).toBe(label)
  })

  const label = fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
      fc.string({ unit: fc.constantFrom('&', '-', ',', 'A', ' ', 'ü', '台', '📧', '"', '+', '/') }),
    )
    .filter(isLabelName)

  test('whatever it is called, the keyword is an atom and means this label', () => {
    fc.assert(
      fc.property(label, (name) => {
        expect(keywordOf(name)).toMatch(ATOM)
        expect(labelOf(keywordOf(name))).toBe(name)
      }),
    )
  })

  test('two labels never share a keyword', () => {
    fc.assert(
      fc.property(label, label, (one, other) => {
        expect(keywordOf(one) === keywordOf(other)).toBe(one === other)
      }),
    )
  })
})

describe('a keyword that no label of ours would get is its own label', () => {
  test.each([
    ['a single &', 'R&D'],
    ['a run without its end', '&AGE'],
    ['a run that was not needed', '&AGE-'],
    ['half a character', '&AA-'],
    ['no base64', '&A-'],
    ['padding', '&AOk=-'],
    ['bits left over', '&AOl-'],
    ['two runs where one does', '&APw-&APw-'],
    ['CR and LF', 'x&AA0ACg-y'],
    ['NUL', '&AAA-'],
    ['a line separator', '&ICg-'],
    ['a blank', '&ACA-'],
    ['a blank at its end', 'x&ACA-'],
    ['a system flag', '&AFw-Seen'],
    ['a label too long', `&${'APwA,AD8'.repeat(100)}-`],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['10,000 times &', '&'.repeat(10_000)],
  ])('%s', (_, keyword) => {
    expect(labelOf(keyword)).toBe(keyword)
  })

  test('and none makes it throw, or hides what a label cannot hold', () => {
    const keyword = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('&', '-', ',', 'A', '0', '+', '_', '=', 'x') }),
    )
    fc.assert(
      fc.property(keyword, (text) => {
        const label = labelOf(text)
        expect(label === text || isLabelName(label)).toBe(true)
      }),
    )
  })
})
