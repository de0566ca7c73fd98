import { expect, test } from 'vitest'
import { messageDate } from '../../../domain/messages/message-date.ts'

const INTERNAL = Date.UTC(2026, 2, 1, 12)
const HOUR_MS = 60 * 60 * 1000

test.each([
  ['a valid Date header counts', INTERNAL - HOUR_MS, INTERNAL - HOUR_MS],
  [
    'one up to a day ahead of INTERNALDATE counts',
    INTERNAL + 24 * HOUR_MS,
    INTERNAL + 24 * HOUR_MS,
  ],
  ['one further ahead does not', INTERNAL + 24 * HOUR_MS + 1, INTERNAL],
  ['without one INTERNALDATE counts', undefined, INTERNAL],
  ['dates before 1970 are 1970', -1, 0],
])('%s', (_name, header, expected) => {
  expect(messageDate(header, INTERNAL)).toBe(expected)
})

test('dates after 2200 are 2200', () => {
  const late = Date.UTC(2300, 0, 1)
  expect(messageDate(late, late)).toBe(Date.UTC(2200, 0, 1))
})
