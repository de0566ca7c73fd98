import { expect, test } from 'vitest'

import { headerBlock, parseHeaders } from '../../../domain/mime/headers.ts'
import { fixture, message } from '../../support/mime-fixtures.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

test('fields are unfolded, decoded, in order, and their names lower case', () => {
  const headers = parseHeaders(
    message(
      'Received: one',
      '\tby two',
      'SUBJECT: =?utf-8?Q?=C3=A9t=C3=A9?=',
      'received: three',
      '',
    ),
  )
  expect([...headers]).toEqual([
    ['received', ['one\tby two', 'three']],
    ['subject', ['été']],
  ])
})

test('a field may be called like a property of every object', () => {
  const headers = parseHeaders(headerBlock(fixture('proto-headers.eml')))
  expect(headers.get('__proto__')).toEqual(['polluted'])
  expect(headers.get('constructor')).toEqual(['x'])
  expect(headers.get('subject')).toEqual(['harmless', 'second'])
  expect(headers.get('hasownproperty')).toBeUndefined()
  expect('polluted' in {}).toBe(false)
})

test('an endless header is read up to its limit', () => {
  const source = message(
    'Subject: x',
    ...Array.from({ length: 60_000 }, (_, at) => `X-${at}: ${'y'.repeat(40)}`),
  )
  expect(headerBlock(source).length).toBeLessThanOrEqual(1024 * 1024)
})

test('a source without a header has an empty block', () => {
  for (const source of [message(''), message('', 'body'), message('just text\r\nand more')]) {
    expect(headerBlock(source)).toHaveLength(0)
  }
})

test('a line of white space alone ends the header where no field follows it', () => {
  const padded = message('Subject: x', ' ', 'Hello,', '', 'Ada')
  expect(headerBlock(padded)).toEqual(message('Subject: x', ''))
  const folded = message('Subject: x', ' ', 'To: y', '', 'Hello')
  expect(parseHeaders(headerBlock(folded)).get('to')).toEqual(['y'])
  const twice = message('Subject: x', ' ', '\t', 'Hello')
  expect(headerBlock(twice)).toEqual(message('Subject: x', ' ', ''))
})

test.each([
  ['koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'],
  // UTF-8, whole and cut in a character.
  ['koi8-r', '\xc3\xa9t\xc3\xa9', 'été'],
  ['koi8-r', '\xd0\x9f\xd1\x80\xd0\xb8\xd0', 'При\uFFFD'],
  // Sets that nobody knows, or in which these bytes cannot be.
  ['utf-8', 'caf\xe9', 'café'],
  ['no-such-set', 'caf\xe9', 'café'],
  ['utf-16', 'caf\xe9', 'café'],
])('where the body is in %s, the header bytes %j are %s', (charset, written, read) => {
  const block = message(`Subject: ${written}`, `Content-Type: text/plain; charset="${charset}"`, '')
  expect(parseHeaders(block).get('subject')).toEqual([read])
})

test('a character that stands in an encoded word as it is stays that character', () => {
  const block = message('Subject: =?iso-8859-1?Q?Die_Fr\xf6sche_f=FCr_$&?= now', '')
  expect(parseHeaders(block).get('subject')).toEqual(['Die Frösche für $& now'])
})

test.each([
  ['=?utf8mb4?Q?Za=C5=BC=C3=B3=C5=82=C4=87?=', 'Zażółć'],
  ['=?utf8mb4*pl?B?WmHFvMOzxYLEhw==?=', 'Zażółć'],
  ['=?no-such-set?Q?caf=E9?=', 'café'],
  ['=?cp-932?B?jnGLnw==?=', '子供'],
])('the character set of %s nobody knows, and it reads %s', (written, read) => {
  expect(parseHeaders(message(`Subject: ${written}`, '')).get('subject')).toEqual([read])
})

test('a megabyte of encoded words is not decoded, and takes no time', () => {
  for (const field of ['X-Words: ', 'Subject: =?utf-8?B?w6k=?=\r\n'.repeat(9999)]) {
    const source = message(`${field}X: ${'=?utf-8?B?4p?= '.repeat(40_000)}`, 'X-Last: é', '')
    const start = threadCpuMs()
    const headers = parseHeaders(headerBlock(source))
    expect(threadCpuMs() - start).toBeLessThan(500)
    expect(headers.get('subject')?.at(-1) ?? 'é').toBe('é')
    expect([...headers.values()].flat().some((value) => value.includes('=?utf-8?B?4p?='))).toBe(
      true,
    )
  }
})
