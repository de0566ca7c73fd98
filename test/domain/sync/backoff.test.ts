import { expect, test } from 'vitest'
import { backoffMs } from '../../../domain/sync/backoff.ts'

test.each([
  [1, 1_000, 2_000],
  [2, 2_000, 4_000],
  [5, 16_000, 32_000],
  [50, 300_000, 600_000],
])('after %i failures the wait is between %i and %i ms', (failures, least, most) => {
  expect(backoffMs(failures, { cause: 'server', random: 0 })).toBe(least)
  expect(backoffMs(failures, { cause: 'server', random: 0.999_999 })).toBeLessThanOrEqual(most)
})

test('a refused login waits minutes from the first time on, so that no server locks the account', () => {
  expect(backoffMs(1, { cause: 'login', random: 0 })).toBe(150_000)
})

test('a disk that takes no writes is tried again within half a minute', () => {
  expect(backoffMs(50, { cause: 'storage', random: 0.999_999 })).toBeLessThanOrEqual(30_000)
})
