import { expect, test } from 'vitest'
import { testFilter } from '../../../domain/filters/test.ts'
import { harness } from '../../support/harness.ts'

const contains = (field: 'from' | 'body' | 'subject', value: string) =>
  [{ field, op: 'contains', value }] as const

test('it looks at the newest 200 messages in the inboxes, whole texts, and changes none', async () => {
  await using h = await harness()
  const [work, home] = [await h.make.account(), await h.make.account()]
  const [inbox, other] = [await h.make.inbox(work.id), await h.make.inbox(home.id)]
  const archive = await h.make.folder(work.id)
  await h.make.message(inbox, { text: 'too old: needle' })
  for (let count = 0; count < 197; count++) await h.make.message(inbox)
  const long = await h.make.message(inbox, { text: `${'hay '.repeat(10_000)}NEEDLE` })
  const elsewhere = await h.make.message(other, { text: 'needle' })
  await h.make.message(archive, { text: 'needle' })
  const last = await h.make.message(inbox, { text: null })

  const every = await testFilter(h.runtime, {
    accountId: null,
    conditions: contains('body', 'needle'),
  })
  expect(every.looked).toBe(200)
  expect(every.matches.map(({ id }) => id)).toEqual([elsewhere.id, long.id])
  const one = await testFilter(h.runtime, {
    accountId: home.id,
    conditions: contains('body', 'needle'),
  })
  expect([one.looked, one.matches.map(({ id }) => id)]).toEqual([1, [elsewhere.id]])
  const all = await testFilter(h.runtime, {
    accountId: work.id,
    conditions: contains('subject', 's'),
  })
  expect([all.matches.length, all.matches[0]?.id]).toEqual([200, last.id])
})

test('conditions that no rule can have are refused', async () => {
  await using h = await harness()
  for (const conditions of [
    [],
    contains('body', ''),
    [{ ...contains('body', '(')[0], op: 'regex' }],
  ])
    await expect(
      testFilter(h.runtime, { accountId: null, conditions: conditions as never }),
    ).rejects.toMatchObject({ code: 'invalid_request' })
})
