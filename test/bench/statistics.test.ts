import { expect, test } from 'vitest'

import { median, percentile } from './statistics.ts'

test.each([
  [[7], 0.95, 7],
  [[3, 1, 2], 0.5, 2],
  [[1, 2, 3, 4], 0.5, 2],
  [Array.from({ length: 100 }, (_, n) => n + 1), 0.95, 95],
] as const)('the percentile of %j at %d is %d', (values, fraction, expected) => {
  expect(percentile(values, fraction)).toBe(expected)
})

test('nothing measured has no median', () => {
  expect(() => median([])).toThrow(RangeError)
})
