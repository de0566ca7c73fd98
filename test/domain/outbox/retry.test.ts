import { expect, test } from 'vitest'
import { retryAtMs } from '../../../domain/outbox/retry.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const entry = { isImmediate: false, attempts: 1, date: 0 }

test.each([
  [1, MINUTE_MS],
  [2, 2 * MINUTE_MS],
  [5, 16 * MINUTE_MS],
  [7, HOUR_MS],
  [20, HOUR_MS],
])(
  'after attempt %i it is tried again %i milliseconds later, and a quarter more at most',
  (attempts, ms) => {
    expect(retryAtMs({ ...entry, attempts }, { nowMs: 1_000, random: 0 })).toBe(1_000 + ms)
    const latest = retryAtMs({ ...entry, attempts }, { nowMs: 1_000, random: 0.999 }) ?? 0
    expect(latest).toBeGreaterThan(1_000 + ms)
    expect(latest).toBeLessThanOrEqual(1_000 + 1.25 * ms)
  },
)

test('it is tried for a day after it was to be sent', () => {
  const late = { ...entry, date: HOUR_MS, attempts: 30 }
  expect(retryAtMs(late, { nowMs: 24 * HOUR_MS, random: 0 })).toBe(25 * HOUR_MS)
  expect(retryAtMs(late, { nowMs: 24 * HOUR_MS + 1, random: 0 })).toBeUndefined()
})

test('what somebody waits for is tried once', () => {
  expect(retryAtMs({ ...entry, isImmediate: true }, { nowMs: 0, random: 0 })).toBeUndefined()
})
