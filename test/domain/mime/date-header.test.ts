import { expect, test } from 'vitest'

import { parseDate } from '../../../domain/mime/date-header.ts'

test.each([
  ['Tue, 3 Feb 2026 10:11:12 +0100', '2026-02-03T09:11:12.000Z'],
  ['3 Feb 2026 10:11 -0530', '2026-02-03T15:41:00.000Z'],
  ['Tue, 03 Feb 26 10:11:12 EST', '2026-02-03T15:11:12.000Z'],
  ['Fri, 21 Nov 97 09(comment):55(nested (one)):06 -0600 (CST)', '1997-11-21T15:55:06.000Z'],
  ['Thu, 13 Feb 1969 23:32 -0330 (Newfoundland Time)', '1969-02-14T03:02:00.000Z'],
  ['Tue,  3  Feb\t2026 10:11:12 Z', '2026-02-03T10:11:12.000Z'],
  ['Tue, 3 Feb 2026 10:11:12 K', '2026-02-03T10:11:12.000Z'],
  ['Tue, 3 Feb 2026 10:11:12 GMT+0200', '2026-02-03T08:11:12.000Z'],
  ['Sat, 31 Dec 2016 23:59:60 +0000', '2017-01-01T00:00:00.000Z'],
  ['Tue Feb  3 10:11:12 2026', '2026-02-03T10:11:12.000Z'],
  ['Tuesday, February 03, 2026 9:00 PM', '2026-02-03T21:00:00.000Z'],
  ['2026-02-03T10:11:12Z', '2026-02-03T10:11:12.000Z'],
  ['2026-02-03 10:11:12 +0100', '2026-02-03T09:11:12.000Z'],
])('%s', (value, expected) => {
  expect(new Date(parseDate(value) ?? Number.NaN).toISOString()).toBe(expected)
})

test.each([
  '',
  'yesterday',
  'Tue, 30 Feb 2026 10:11:12 +0000',
  'Tue, 3 Foo 2026 10:11:12 +0000',
  'Tue, 3 Feb 2026 24:00:00 +0000',
  'Tue, 3 Feb 2026 10:60:00 +0000',
  'Tue, 3 Feb 2026 10:11:12 +0190',
  '('.repeat(100_000),
  '1'.repeat(100_000),
])('%s is no date', (value) => {
  expect(parseDate(value)).toBeUndefined()
})
