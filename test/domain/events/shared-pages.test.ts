import { expect, test, vi } from 'vitest'
import type { ToldEvent } from '../../../domain/events/feed.ts'
import { sharedPages } from '../../../domain/events/shared-pages.ts'

const SIZE = 4

function setUp(...ids: number[]) {
  const stored = ids.map((id): ToldEvent => ({
    id,
    kind: 'sync.error',
    accountId: 1,
    data: {},
    createdAt: 0,
  }))
  const read = vi.fn(async (after: number) => stored.filter(({ id }) => id > after).slice(0, SIZE))
  return { stored, read, pageAfter: sharedPages(SIZE, read) }
}

const idsOf = (page: readonly ToldEvent[]) => page.map(({ id }) => id)

test('whoever is at a page gets the same, read once', async () => {
  const { read, pageAfter } = setUp(1, 2, 3, 4, 5, 6, 7, 8, 9)
  const [page, ...others] = await Promise.all([4, 5, 6, 7].map(pageAfter))
  for (const other of others) expect(other).toBe(page)
  expect(await pageAfter(5)).toBe(page)
  expect(idsOf(page ?? [])).toEqual([5, 6, 7, 8])
  expect(read.mock.calls).toEqual([[4]])
})

test('the last page is read again, for it grows', async () => {
  const { stored, read, pageAfter } = setUp(1, 2)
  expect(idsOf(await pageAfter(1))).toEqual([1, 2])
  stored.push(...setUp(3, 4, 5).stored)
  const page = await pageAfter(2)
  expect(idsOf(page)).toEqual([1, 2, 3, 4])
  expect(await pageAfter(0)).toBe(page)
  expect(read).toHaveBeenCalledTimes(2)
  expect(idsOf(await pageAfter(5))).toEqual([5])
  expect(idsOf(await pageAfter(8))).toEqual([])
})

test('where events are no longer kept, the next ones come', async () => {
  const { pageAfter } = setUp(2, 9, 13, 14, 15, 16, 17, 18)
  for (const [after, next] of [
    [0, 2],
    [2, 9],
    [3, 9],
    [5, 9],
    [9, 13],
    [12, 13],
    [14, 15],
  ] as const) {
    const page = await pageAfter(after)
    expect(idsOf(page).find((id) => id > after)).toBe(next)
  }
})
