import { expect, test } from 'vitest'
import { byteBudget } from '../../../runtime/node/byte-budget.ts'

/** Asks for room, and keeps in `started` who got it. */
function callers(bytesMax: number) {
  const budget = byteBudget(bytesMax)
  const started: string[] = []
  const ask = async (name: string, bytes: number) => {
    const giveBack = await budget.take(bytes)
    started.push(name)
    return giveBack
  }
  return { budget, started, ask }
}

test('room is given while there is some, then in the order it was asked for', async () => {
  const { budget, started, ask } = callers(10)
  const [first, second] = await Promise.all([ask('a', 6), ask('b', 4)])
  const [large, small] = [ask('large', 8), ask('small', 1)]
  second()
  await Promise.resolve()
  expect(started).toEqual(['a', 'b'])
  expect(budget.held()).toBe(6)
  first()
  await Promise.all([large, small])
  expect(started).toEqual(['a', 'b', 'large', 'small'])
  expect(budget.held()).toBe(9)
})

test('more than the whole comes to its turn too, alone', async () => {
  const { budget, started, ask } = callers(10)
  const small = await ask('small', 1)
  const huge = ask('huge', 1_000)
  await Promise.resolve()
  expect(started).toEqual(['small'])
  small()
  const giveBack = await huge
  expect(budget.held()).toBe(10)
  giveBack()
  expect(budget.held()).toBe(0)
})

test('room that is given back twice is free once', async () => {
  const { budget, ask } = callers(10)
  const [first] = await Promise.all([ask('a', 3), ask('b', 3)])
  first()
  first()
  expect(budget.held()).toBe(3)
})
