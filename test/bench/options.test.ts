import { expect, test } from 'vitest'

import { benchOptions } from './options.ts'

test('without options everything is measured at its full size', () => {
  expect(benchOptions([])).toEqual({
    messages: 20_000,
    searchedMessages: 100_000,
    accounts: 100,
    scale: false,
    parts: new Set(['mailbox', 'folders', 'accounts', 'acting', 'sending', 'webhooks', 'search']),
    json: undefined,
  })
})

test('parts can be had alone', () => {
  const { parts, accounts } = benchOptions(['--only', 'accounts', '--accounts', '10'])
  expect([[...parts], accounts]).toEqual([['accounts'], 10])
})

test('a number of messages is that of every mailbox', () => {
  const { messages, searchedMessages } = benchOptions(['--messages', '5000'])
  expect([messages, searchedMessages]).toEqual([5_000, 5_000])
})

test.each([
  ['--messages', '499'],
  ['--messages', 'many'],
  ['--accounts', '1'],
  ['--only', 'sync'],
])('%s %s cannot be', (...args) => {
  expect(() => benchOptions(args)).toThrow(RangeError)
})
