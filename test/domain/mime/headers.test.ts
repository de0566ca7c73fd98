import { expect, test } from 'vitest'

import { headerBlock, parseHeaders } from '../../../domain/mime/headers.ts'
import { fixture, message } from '../../support/mime-fixtures.ts'

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
