import { expect, test } from 'vitest'
import { agoText } from '../../../web/start/format.ts'

const NOW = new Date('2026-03-01T12:00:00Z')

test.each([
  [-60, 'just now'],
  [4, 'just now'],
  [5, '5 seconds ago'],
  [59, '59 seconds ago'],
  [60, '1 minute ago'],
  [3_599, '59 minutes ago'],
  [3_600, '1 hour ago'],
  [86_399, '23 hours ago'],
  [86_400, 'yesterday'],
  [3 * 86_400, '3 days ago'],
])('%i seconds before now is %s', (seconds, words) => {
  expect(agoText(new Date(NOW.getTime() - seconds * 1_000), NOW)).toBe(words)
})
