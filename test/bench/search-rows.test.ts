import { expect, test } from 'vitest'

import { searchRows } from './search-rows.ts'
import type { SearchSpeed } from './search-speed.ts'

const speed = (changes: Partial<SearchSpeed> = {}): SearchSpeed => ({
  kind: { what: 'a word', queries: [], barMs: 2 },
  firstMs: [2, 3, 4],
  oursMs: [1, 1.5, 9],
  notmuchMs: [10, 12, 30],
  gateMs: [0.5],
  nothingMs: [7],
  startMs: [5],
  delayMs: 4,
  idlerDelayMs: 3,
  compared: 200,
  equal: 200,
  ...changes,
})

test('a kind of query is judged by its median, and notmuch is shown with its start and without', () => {
  expect(searchRows([speed()])[0]).toEqual({
    work: 'a word, p50 / p95; p50 when first asked; longest event loop delay',
    figure: '1.50 ms / 9.00 ms; 3.00 ms; 4.00 ms',
    floor: '12.0 ms / 30.0 ms, net 5.00 ms (notmuch)',
    ratio: '0.13',
    bar: 'p50 2.00 ms',
    met: true,
  })
  expect(searchRows([speed({ oursMs: [1, 2.1, 3] })])[0]).toMatchObject({ met: false })
})

test('a kind without a bar is judged by what it holds up', () => {
  const kind = { what: 'a short prefix', queries: [] }
  const [within, beyond] = [speed({ kind, delayMs: 20 }), speed({ kind, delayMs: 20.1 })]
  expect(searchRows([within])[0]).toMatchObject({ bar: 'delay 20.0 ms', met: true })
  expect(searchRows([beyond])[0]).toMatchObject({ met: false })
  const rows = searchRows([speed(), beyond])
  expect(rows.find(({ work }) => work.endsWith('in a short prefix'))).toMatchObject({
    figure: '20.1 ms',
    met: false,
  })
})

test('answers that differ from those of notmuch are counted by kind', () => {
  const rows = searchRows([speed(), speed({ equal: 199 })])
  expect(rows.at(-1)).toMatchObject({ figure: '399 of 400; a word: 199 of 200', met: false })
})

test('without notmuch there is nothing to compare with', () => {
  const alone = { notmuchMs: [], nothingMs: [], startMs: [], compared: 0, equal: 0 }
  const rows = searchRows([speed(alone)])
  expect(rows).toHaveLength(3)
  expect(rows.filter(({ floor = '' }) => floor.includes('notmuch'))).toEqual([])
})
