import { afterAll, beforeAll, expect, test } from 'vitest'
import { harness, type Harness } from '../../support/harness.ts'

let h: Harness
let inboxId = 0

beforeAll(async () => {
  h = await harness()
  const work = await h.make.account({ name: 'Work' })
  await h.make.account({ name: 'Home' })
  const inbox = await h.make.inbox(work.id)
  inboxId = inbox.id
  await h.make.folder(work.id, { path: 'Lists', selectable: false })
  await h.make.message(inbox)
  await h.make.message(inbox, { read: true })
})
afterAll(() => h.close())

test('200: the tree of each account, with counts', async () => {
  const answer = await h.get('/api/v1/folders')
  expect(await answer.json()).toEqual({
    data: [
      {
        account: 'Work',
        folders: [
          {
            id: inboxId,
            name: 'INBOX',
            path: 'INBOX',
            special_use: 'inbox',
            unread: 1,
            total: 2,
            synced: true,
            children: [],
          },
          { name: 'Lists', path: 'Lists', unread: 0, total: 0, synced: false, children: [] },
        ],
      },
      { account: 'Home', folders: [] },
    ],
    next_cursor: '',
  })
})

test('200: one account, in whatever case its name is written', async () => {
  const answer = await h.get('/api/v1/folders?account=HOME')
  expect(await answer.json()).toEqual({
    data: [{ account: 'Home', folders: [] }],
    next_cursor: '',
  })
})

test('404: an unknown account', async () => {
  expect((await h.get('/api/v1/folders?account=nobody')).status).toBe(404)
})
