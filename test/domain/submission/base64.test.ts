import { assert, asyncProperty, nat, uint8Array } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base64Size, decodedPieces } from '../../../domain/submission/base64.ts'

const rest = () => Promise.resolve()
const decoded = (text: string) => Buffer.concat([...decodedPieces(text)])

test('what was encoded comes back, with white space anywhere, and its size is known before', async () => {
  await assert(
    asyncProperty(uint8Array({ maxLength: 400 }), nat(80), async (bytes, width) => {
      const text = Buffer.from(bytes).toString('base64')
      const wrapped =
        width === 0 ? text : text.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\r\n\t ')
      expect(await base64Size(wrapped, rest)).toBe(bytes.length)
      expect(decoded(wrapped).equals(bytes)).toBe(true)
    }),
  )
})

test('also where it is cut into pieces, none of which is large', async () => {
  const bytes = Buffer.from(Array.from({ length: 1_000_003 }, (_, index) => index % 253))
  for (const wrap of ['', '\n', '\r\n ']) {
    const text = bytes.toString('base64').replaceAll(/.{77}/g, `$&${wrap}`)
    expect(await base64Size(text, rest)).toBe(bytes.length)
    expect(decoded(text).equals(bytes)).toBe(true)
    expect(Math.max(...[...decodedPieces(text)].map(({ length }) => length))).toBeLessThan(200_000)
  }
})

describe('broken', () => {
  const LONG = 'AAAA'.repeat(65_536)
  test.each([
    'A',
    'AA',
    'AAA',
    'AAAAA',
    '=',
    '====',
    'A===',
    'AA=A',
    'AAA=AAAA',
    'AA==AA==',
    'AB==',
    'AAB=',

    'AA-_',
    'AAA\u00e1',
    'AA.A',
    'data:;base64,AAAA',
    `${LONG}=AAA`,
    `${LONG}A===`,
    `AAA=${LONG}`,
    `${LONG.slice(1)}=${LONG}`,
  ])('%#', async (text) => {
    expect(await base64Size(text, rest)).toBeUndefined()
  })
})
