import { expect, test } from 'vitest'

import { stretch } from './stretch.ts'

test('stretches follow each other until nothing is left', () => {
  const items = [1, 2, 3, 4, 5].values()
  const stretches = [2, 2, 2, 2].map((count) => [...stretch(items, count)])
  expect(stretches).toEqual([[1, 2], [3, 4], [5], []])
})
