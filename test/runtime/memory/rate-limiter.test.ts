import { expect, test } from 'vitest'
import { memoryRateLimiter } from '../../../runtime/memory/rate-limiter.ts'

const MINUTE_MS = 60_000

test('a budget is spent request by request and then refused until one has refilled', () => {
  const limiter = memoryRateLimiter(120)
  for (let left = 119; left >= 0; left -= 1) {
    expect(limiter.take('a', 0)).toMatchObject({ allowed: true, remaining: left })
  }
  expect(limiter.take('a', 0)).toEqual({ allowed: false, remaining: 0, retryAfterMs: 500 })
  expect(limiter.take('a', 499).allowed).toBe(false)
  expect(limiter.take('a', 500).allowed).toBe(true)
})

test('it refills continuously, and never beyond one budget', () => {
  const limiter = memoryRateLimiter(60)
  for (let count = 0; count < 60; count += 1) limiter.take('a', 0)
  expect(limiter.take('a', 10_000).remaining).toBe(9)
  expect(limiter.take('a', 60 * MINUTE_MS).remaining).toBe(59)
})

test('callers do not share a budget', () => {
  const limiter = memoryRateLimiter(1)
  limiter.take('a', 0)
  expect(limiter.take('b', 0).allowed).toBe(true)
})

test('a clock that is set back costs nobody anything', () => {
  const limiter = memoryRateLimiter(2)
  limiter.take('a', MINUTE_MS)
  expect(limiter.take('a', 0).allowed).toBe(true)
  expect(limiter.take('a', 0).allowed).toBe(false)
})

test('zero means no limit', () => {
  const limiter = memoryRateLimiter(0)
  for (let count = 0; count < 1_000; count += 1) expect(limiter.take('a', 0).allowed).toBe(true)
})
