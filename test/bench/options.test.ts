import { expect, test } from 'vitest'

import { benchOptions } from './options.ts'

test('without options everything is measured at its full size', () => {
  expect(benchOptions([])).toEqual({
    messages: 20_000,
    accounts: 100,
    scale: false,
    parts: new Set(['mailbox', 'folders', 'accounts', 'acting', 'sending', 'webhooks']),
    json: undefined,
  })
})

test('parts can be had alone', () => {
  const { parts, accounts } = benchOptions(['--only', 'accounts', '--accounts', '10'])
  expect([[...parts], accounts]).toEqual([['accounts'], 10])
})

test.each([
  ['--messages', '499'],
  ['--messages', 'many'],
  ['--accounts', '1'],
  ['--only', 'sync'],
])('%s %s cannot be', (...args) => {
  expect(() => benchOptions(args)).toThrow(RangeError)
})
