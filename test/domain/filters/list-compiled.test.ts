import { expect, test } from 'vitest'
import { createFilter } from '../../../domain/filters/create.ts'
import { deleteFilter } from '../../../domain/filters/delete.ts'
import { listCompiledFilters } from '../../../domain/filters/list-compiled.ts'
import { updateFilter } from '../../../domain/filters/update.ts'
import { harness } from '../../support/harness.ts'

const rule = (value: string) => ({
  conditions: [{ field: 'subject', op: 'regex', value } as const],
  actions: [{ type: 'star' } as const],
})

test('the rules in force, in their order, each compiled once until it changes', async () => {
  await using h = await harness()
  const first = await createFilter(h.runtime, rule('a'))
  const second = await createFilter(h.runtime, rule('b'))
  const off = await createFilter(h.runtime, { ...rule('c'), enabled: false })
  const before = await listCompiledFilters(h.runtime)
  expect(before.map(({ id }) => id)).toEqual([first.id, second.id])

  await updateFilter(h.runtime, { id: first.id, conditions: rule('x').conditions })
  await updateFilter(h.runtime, { id: off.id, enabled: true, position: 1 })
  const after = await listCompiledFilters(h.runtime)
  expect(after.map(({ id }) => id)).toEqual([off.id, first.id, second.id])
  expect(after[1]?.conditions).toEqual(rule('x').conditions)
  expect(after[2]).toBe(before[1])

  await deleteFilter(h.runtime, { id: first.id })
  expect((await listCompiledFilters(h.runtime)).map(({ id }) => id)).toEqual([off.id, second.id])
})
