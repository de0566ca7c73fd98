import { afterAll, beforeAll, expect, test } from 'vitest'
import { harness, type Harness } from '../../support/harness.ts'

let h: Harness
let older = 0
let joined = 0
let joinedTwice = 0
const ids: number[] = []

beforeAll(async () => {
  h = await harness()
  const account = await h.make.account()
  const inbox = await h.make.inbox(account.id)
  const sent = await h.make.folder(account.id, { specialUse: 'sent' })
  older = (await h.make.thread(account.id)).id
  joined = (await h.make.thread(account.id, { joinedTo: older })).id
  joinedTwice = (await h.make.thread(account.id, { joinedTo: joined })).id
  for (const [date, folder] of [
    [3, inbox],
    [1, inbox],
    [2, sent],
  ] as const) {
    ids[date] = (await h.make.message(folder, { date, threadId: older })).id
  }
  await h.make.message(inbox)
})
afterAll(() => h.close())

const read = async (path: string) => {
  const answer = await h.get(`/api/v1/threads/${path}`)
  expect(answer.status).toBe(200)
  const body = (await answer.json()) as { data: { id: number }[]; next_cursor: string }
  return { ids: body.data.map(({ id }) => id), next: body.next_cursor }
}

test('200: the conversation over all folders, oldest first', async () => {
  expect(await read(`${older}`)).toEqual({ ids: [ids[1], ids[2], ids[3]], next: '' })
})

test('200: threads that were joined to it answer with the same', async () => {
  expect(await read(`${joined}`)).toEqual(await read(`${older}`))
  expect(await read(`${joinedTwice}`)).toEqual(await read(`${older}`))
})

test('200: a long one comes in pages', async () => {
  const first = await read(`${older}?limit=2`)
  expect(first.ids).toEqual([ids[1], ids[2]])
  expect(await read(`${older}?limit=2&cursor=${first.next}`)).toEqual({ ids: [ids[3]], next: '' })
})

test.each(['4711', '0', 'x'])('404: thread %s', async (id) => {
  expect((await h.get(`/api/v1/threads/${id}`)).status).toBe(404)
})
