import { expect, test } from 'vitest'
import { groupByKey } from '../../../domain/threads/group-by-key.ts'

const membersOf = (keysOf: Record<string, string[]>, known: Record<string, number> = {}) =>
  groupByKey(new Map(Object.entries(keysOf)), new Map(Object.entries(known))).map(
    ({ members, threadIds }) => ({
      members: members.toSorted(),
      threadIds: [...threadIds].toSorted((a, b) => a - b),
    }),
  )

test('messages that share a key belong together, directly or through others', () => {
  expect(membersOf({ a: ['1'], b: ['2'], c: ['1', '2'], d: ['3'] })).toEqual([
    { members: ['a', 'b', 'c'], threadIds: [] },
    { members: ['d'], threadIds: [] },
  ])
})

test('messages without keys stay apart', () => {
  expect(membersOf({ a: [], b: [] })).toHaveLength(2)
})

test('keys of one known thread bring messages together', () => {
  expect(membersOf({ a: ['1'], b: ['2'] }, { 1: 7, 2: 7 })).toEqual([
    { members: ['a', 'b'], threadIds: [7] },
  ])
})

test('a message that refers to two threads brings both into one group', () => {
  expect(membersOf({ a: ['1', '2'] }, { 1: 7, 2: 8 })).toEqual([
    { members: ['a'], threadIds: [7, 8] },
  ])
})
