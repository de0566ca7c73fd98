import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeAccount } from '../../../domain/accounts/remove.ts'
import { harness, type Harness } from '../../support/harness.ts'

let h: Harness
let ids: { message: number; folder: number; thread: number }

/** An account with a message, whose removal has begun and was cut short. */
beforeAll(async () => {
  h = await harness()
  const account = await h.make.account({ name: 'Ada' })
  const inbox = await h.make.inbox(account.id)
  const message = await h.make.message(inbox, {
    inInbox: true,
    content: {
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', size: 1, inline: false }],
    },
  })
  ids = { message: message.id, folder: inbox.id, thread: message.threadId }
  const dying = { ...h.sourceStore, delete: () => Promise.reject(new Error('killed')) }
  await expect(
    removeAccount({ ...h.runtime, sourceStore: dying }, { id: account.id }),
  ).rejects.toThrow('killed')
})
afterAll(() => h.close())

test.each(['/accounts', '/messages', '/folders', '/messages?unread=true'])(
  'nothing of an account that is being removed is in %s',
  async (path) => {
    expect(await (await h.get(`/api/v1${path}`)).json()).toMatchObject({ data: [] })
  },
)

test.each<[string, () => string]>([
  ['folder', () => `/messages?folder=${ids.folder}`],
  ['inbox', () => '/messages?account=Ada'],
  ['message', () => `/messages/${ids.message}`],
  ['raw message', () => `/messages/${ids.message}/raw`],
  ['header', () => `/messages/${ids.message}/headers`],
  ['attachment', () => `/messages/${ids.message}/attachments/0`],
  ['thread', () => `/threads/${ids.thread}`],
])('the %s of an account that is being removed is not there', async (_what, path) => {
  expect((await h.get(`/api/v1${path()}`)).status).toBe(404)
})
