import { expect, test } from 'vitest'
import { formatToken, newTokenParts, parseToken } from '../../../domain/tokens/token-format.ts'

test('a token starts with svc_pat_ and reads back as its parts', () => {
  const parts = newTokenParts()
  expect(formatToken(parts)).toMatch(/^svc_pat_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/)
  expect(parseToken(formatToken(parts))).toEqual(parts)
})

test('no two tokens share a half, and every character of the alphabet comes up', () => {
  const made = Array.from({ length: 200 }, newTokenParts)
  expect(new Set(made.map(({ selector }) => selector)).size).toBe(200)
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(200)
  expect(new Set(made.flatMap(({ secret }) => secret.split(''))).size).toBe(62)
})

test.each([
  '',
  'svc_pat_',
  'svc_pat_abc',
  `ghp_${'a'.repeat(16)}_${'b'.repeat(43)}`,
  `svc_pat_${'a'.repeat(16)}_${'b'.repeat(42)}`,
  `svc_pat_${'a'.repeat(16)}_${'b'.repeat(44)}`,
  `svc_pat_${'a'.repeat(16)}-${'b'.repeat(43)}`,
  `svc_pat_${'ä'.repeat(16)}_${'b'.repeat(43)}`,
  `svc_pat_${'a'.repeat(16)}_${'b'.repeat(43)}\n`,
])('%j is no token', (text) => {
  expect(parseToken(text)).toBeUndefined()
})
