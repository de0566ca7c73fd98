import { expect, test } from 'vitest'
import { hasPlace, type Underway } from '../../../domain/outbox/places.ts'

const sending = (accountId: number, count: number, isImmediate = false): Underway[] =>
  Array.from({ length: count }, (_, id) => ({ id, accountId, isImmediate }))

test.each([
  { name: 'nothing is under way', underway: [], scheduled: true, immediate: true },
  { name: 'two of the account', underway: sending(1, 2), scheduled: true, immediate: true },
  {
    name: 'three scheduled ones of the account',
    underway: sending(1, 3),
    scheduled: false,
    immediate: true,
  },
  {
    name: 'three of the account that somebody waits for',
    underway: sending(1, 3, true),
    scheduled: true,
    immediate: true,
  },
  {
    name: 'four of the account',
    underway: sending(1, 4, true),
    scheduled: false,
    immediate: false,
  },
  { name: 'three of another account', underway: sending(2, 3), scheduled: true, immediate: true },
  {
    name: 'four scheduled ones of others',
    underway: [...sending(2, 2), ...sending(3, 2)],
    scheduled: false,
    immediate: true,
  },
  {
    name: 'five of others',
    underway: [...sending(2, 3), ...sending(3, 2, true)],
    scheduled: false,
    immediate: false,
  },
])('beside $name', ({ underway, scheduled, immediate }) => {
  expect(hasPlace({ accountId: 1, isImmediate: false }, underway)).toBe(scheduled)
  expect(hasPlace({ accountId: 1, isImmediate: true }, underway)).toBe(immediate)
})
