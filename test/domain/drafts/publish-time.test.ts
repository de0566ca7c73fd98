import { expect, test } from 'vitest'
import { publishTime } from '../../../domain/drafts/publish-time.ts'

test.each([
  ['a first edit', 0, 0, 3_000],
  ['one a second later', 1_000, 0, 4_000],
  ['one after seven seconds of them', 7_000, 0, 10_000],
  ['one after nine', 9_000, 0, 10_000],
])('%s', (...[, nowMs, unpublishedSince, due]) => {
  expect(publishTime(nowMs, unpublishedSince)).toBe(due)
})
