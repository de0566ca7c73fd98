import { afterEach, beforeEach, expect, test } from 'vitest'

import { beginMerge, isIndexScattered, mergeNext } from '../../../domain/search/merge-index.ts'
import { searchLocal } from '../../../domain/search/search-local.ts'
import { systemClock } from '../../../runtime/node/clock.ts'
import { temporaryStore } from '../../support/database.ts'
import { filledIndex } from '../../support/filled-index.ts'

const BATCHES = 60

let database: Awaited<ReturnType<typeof temporaryStore>>
beforeEach(async () => {
  database = await temporaryStore()
})
afterEach(() => database.remove())

const found = async (query: string) => {
  const { store } = database
  const { items } = await searchLocal({ store, clock: systemClock }, { query, limit: 500 })
  return items.map(({ id }) => id)
}

test('a first sync leaves many segments, and merged there is one with the same words', async () => {
  const { store } = database
  await filledIndex(store, BATCHES)
  const before = {
    all: await found('all'),
    some: await found('w17 -w4000'),
    one: await found('mail7'),
  }
  expect(before.one).toHaveLength(1)
  expect(await isIndexScattered({ store })).toBe(true)

  let steps = 1
  for (let isMore = await beginMerge({ store }); isMore; isMore = await mergeNext({ store }))
    steps += 1
  expect(steps).toBeGreaterThan(3)
  expect(await isIndexScattered({ store })).toBe(false)
  expect(await mergeNext({ store })).toBe(false)
  const after = {
    all: await found('all'),
    some: await found('w17 -w4000'),
    one: await found('mail7'),
  }
  expect(after).toEqual(before)
})

test('a merge that was cut off goes on where it was, with the mail that came since', async () => {
  const { store } = database
  const { add } = await filledIndex(store, 30)
  await beginMerge({ store })
  await mergeNext({ store })
  await add(30)
  expect(await found('mail305')).toHaveLength(1)
  while (await beginMerge({ store }));
  expect(await found('all')).toHaveLength(310)
  expect(await isIndexScattered({ store })).toBe(false)
})
