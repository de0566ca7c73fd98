import { expect, test } from 'vitest'
import { parseExpiry } from '../../../../../cli/commands/local/token/expiry.ts'

const now = new Date('2026-03-01T12:00:00Z')

test.each([
  ['12h', '2026-03-02T00:00:00.000Z'],
  ['90d', '2026-05-30T12:00:00.000Z'],
  ['1w', '2026-03-08T12:00:00.000Z'],
  // The whole day counts.
  ['2026-12-31', '2027-01-01T00:00:00.000Z'],
  ['2028-02-29', '2028-03-01T00:00:00.000Z'],
])('%s expires at %s', (text, expected) => {
  expect(parseExpiry(text, now)?.toISOString()).toBe(expected)
})

test.each(['', '90', 'd', '90 d', '-1d', '2026-02-29', '2026-13-01', 'tomorrow', '9999999d'])(
  '%j is no expiry',
  (text) => {
    expect(parseExpiry(text, now)).toBeUndefined()
  },
)
