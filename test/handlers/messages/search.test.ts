import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { harness, type Harness } from '../../support/harness.ts'
import { storeMail } from '../../support/search-mailbox.ts'

let h: Harness
beforeEach(async () => {
  h = await harness({ scopes: ['mail:read'] })
})
afterEach(() => h.close())

const DATE_MS = Date.UTC(2026, 1, 1)

async function mailbox() {
  const account = await h.make.account({ name: 'Work' })
  const inbox = await h.make.inbox(account.id)
  const spam = await h.make.folder(account.id, { path: 'Junk', specialUse: 'spam' })
  const { id: threadId } = await h.make.thread(account.id)
  const store = (subject: string, folder = inbox, minutes = 0) => {
    const source = `From: Ada <ada@example.org>\r\nSubject: ${subject}\r\n\r\nThe engine.\r\n`
    const dateMs = DATE_MS + minutes * 60_000
    return storeMail(h.runtime.store, { source, folder, threadId, dateMs })
  }
  return { account, inbox, spam, store }
}

const search = async (body: object) => {
  const response = await h.send('POST', '/api/v1/messages/search', body)
  return { status: response.status, body: await response.json() }
}
const subjects = async (body: object) =>
  (await search(body)).body.data.map(({ subject }: { subject: string }) => subject)

describe('200', () => {
  test('messages of all folders, newest first, as lists show them', async () => {
    const { store, spam } = await mailbox()
    await store('one')
    await store('two', spam, 1)
    const { status, body } = await search({ query: 'engine' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      data: [
        { subject: 'two', account: 'Work', folder_id: spam.id, from: { name: 'Ada' } },
        { subject: 'one', date: '2026-02-01T00:00:00.000Z' },
      ],
      next_cursor: '',
      warnings: [],
    })
  })

  test('in one account or folder', async () => {
    const { store, spam } = await mailbox()
    await h.make.account({ name: 'Other' })
    await store('one')
    await store('two', spam, 1)
    expect(await subjects({ query: 'engine', folder_id: spam.id })).toEqual(['two'])
    expect(await subjects({ query: 'engine', account: 'WORK' })).toEqual(['two', 'one'])
    expect(await subjects({ query: 'engine', account: 'other' })).toEqual([])
  })

  test('page by page, whole while mail arrives', async () => {
    const { store } = await mailbox()
    for (const minutes of [0, 1, 2, 3, 4]) await store(`mail ${minutes}`, undefined, minutes)
    const first = await search({ query: 'engine', limit: 2 })
    await store('newer', undefined, 9)
    const second = await search({ query: 'engine', limit: 2, cursor: first.body.next_cursor })
    const third = await search({ query: 'engine', limit: 2, cursor: second.body.next_cursor })
    const pages = [first, second, third].map(({ body }) =>
      body.data.map(({ subject }: { subject: string }) => subject),
    )
    expect(pages).toEqual([['mail 4', 'mail 3'], ['mail 2', 'mail 1'], ['mail 0']])
    expect(third.body.next_cursor).toBe('')
  })

  test('what is no valid operator is named, and names that stand for nothing too', async () => {
    const { store } = await mailbox()
    await store('is:odd')
    const { body } = await search({ query: 'is:odd' })
    expect(body.data).toHaveLength(1)
    expect(body.warnings).toEqual([expect.stringContaining('is:odd')])
    const unknown = await search({ query: 'in:nowhere label:none account:nobody thread:99' })
    expect(unknown.body).toMatchObject({ data: [], warnings: { length: 4 } })
  })

  test('a query of which nothing is left finds nothing and says why', async () => {
    const { store } = await mailbox()
    await store('one')
    const { body } = await search({ query: '😀' })
    expect(body).toMatchObject({ data: [], next_cursor: '', warnings: [expect.any(String)] })
  })
})

describe('400', () => {
  test.each([
    ['a blank query', { query: ' \n\u3000' }],
    ['no query', {}],
    ['a limit of 0', { query: 'a', limit: 0 }],
    ['a limit of 501', { query: 'a', limit: 501 }],
    ['a limit in text', { query: 'a', limit: '5' }],
    ['a cursor of another kind', { query: 'a', cursor: 'bm9uZQ' }],
    ['another mode', { query: 'a', mode: 'wide' }],
    ['an unknown field', { query: 'a', folder: 1 }],
  ])('%s', async (_what, body) => {
    expect(await search(body)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    })
  })
})

describe('404', () => {
  test.each([
    ['an unknown account', { account: 'nobody' }],
    ['an unknown folder', { folder_id: 99 }],
  ])('%s', async (_what, where) => {
    await mailbox()
    expect(await search({ query: 'a', ...where })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
  })
})
