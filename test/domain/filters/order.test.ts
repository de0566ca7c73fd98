import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { removeAccount } from '../../../domain/accounts/remove.ts'
import { createFilter } from '../../../domain/filters/create.ts'
import { deleteFilter } from '../../../domain/filters/delete.ts'
import { listFilters } from '../../../domain/filters/list.ts'
import { updateFilter } from '../../../domain/filters/update.ts'
import { harness } from '../../support/harness.ts'

const RULE = {
  conditions: [{ field: 'subject', op: 'contains', value: 'x' } as const],
  actions: [{ type: 'star' } as const],
}

const step = fc.record({
  kind: fc.constantFrom('create', 'create last', 'move', 'move', 'delete'),
  pick: fc.nat(),
  position: fc.integer({ min: 1, max: 12 }),
})

test('whatever is created, moved and deleted, positions run from 1 without gaps', async () => {
  await using h = await harness()
  /** The ids in the order that should be. */
  const expected: number[] = []
  const take = async ({
    kind,
    pick,
    position,
  }: {
    kind: string
    pick: number
    position: number
  }) => {
    const id = expected[pick % Math.max(1, expected.length)]
    if (kind.startsWith('create')) {
      const place = kind === 'create' ? { position } : {}
      const created = await createFilter(h.runtime, { ...RULE, ...place })
      expected.splice(kind === 'create' ? position - 1 : expected.length, 0, created.id)
      expect(created.position).toBe(expected.indexOf(created.id) + 1)
    } else if (id !== undefined && kind === 'move') {
      expected.splice(expected.indexOf(id), 1)
      expected.splice(position - 1, 0, id)
      const moved = await updateFilter(h.runtime, { id, position })
      expect(moved.position).toBe(expected.indexOf(id) + 1)
    } else if (id !== undefined) {
      expected.splice(expected.indexOf(id), 1)
      await deleteFilter(h.runtime, { id })
    }
    const listed = await listFilters(h.runtime)
    expect(listed.map(({ id }) => id)).toEqual(expected)
    expect(listed.map(({ position }) => position)).toEqual(expected.map((_, index) => index + 1))
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      for (const one of steps) await take(one)
    }),
    { numRuns: 10 },
  )
})

test('the rules of an account go with it, and the others close up', async () => {
  await using h = await harness()
  const [work, home] = [await h.make.account(), await h.make.account()]
  const accounts = [work.name, '', work.name, home.name, work.name, '']
  for (const account of accounts) await createFilter(h.runtime, { ...RULE, account })
  await removeAccount(h.runtime, { id: work.id })
  const left = await listFilters(h.runtime)
  expect(left.map(({ account, position }) => [account, position])).toEqual([
    [null, 1],
    [home.name, 2],
    [null, 3],
  ])
})
