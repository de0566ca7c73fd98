import { describe, expect, test } from 'vitest'
import { type MailToChange, mailToChange, refusal } from '../../support/mail-to-change.ts'

const BATCH = '/api/v1/messages/batch'

/** `count` more messages in the inbox, stored at once. */
async function inboxOf(mail: MailToChange, count: number): Promise<readonly number[]> {
  const made: number[] = []
  for (let index = 0; index < count; index++) made.push((await mail.h.make.message(mail.inbox)).id)
  return made
}

const ok = (id: number, folder: { readonly id: number }) => ({
  id,
  status: 'ok',
  folder_id: folder.id,
})
const gone = (id: number) => ({
  id,
  status: 'error',
  error: { code: 'not_found', message: expect.stringMatching(/\w/) as unknown },
})

describe('200', () => {
  test('what PATCH takes, for each, in the order that was asked for', async () => {
    await using mail = await mailToChange()
    const { inbox, message } = mail
    const [second = 0, third = 0] = await inboxOf(mail, 2)
    const change = { read: true, starred: true, labels_add: ['a', 'b'], labels_remove: ['B'] }
    const ids = [third, message.id, second]
    expect(await mail.ask('POST', BATCH, { ids, ...change })).toEqual({
      status: 200,
      body: { results: ids.map((id) => ok(id, inbox)) },
    })
    for (const row of await mail.rows())
      expect(row).toMatchObject({ read: true, starred: true, labels: ['a'] })
    const queued = await mail.queued()
    expect(queued).toHaveLength(ids.length)
    expect(queued.map(({ messageId }) => messageId)).toEqual(expect.arrayContaining(ids))
    for (const { kind, change } of queued)
      expect([kind, change]).toEqual(['flags', { read: true, starred: true, labelsAdded: ['a'] }])
    expect((await mail.told()).length).toBe(9)
  })

  test('of several accounts, each to its own folder, made where there is none', async () => {
    await using mail = await mailToChange()
    const { h, account, message } = mail
    const home = await h.make.account({ name: 'Home' })
    const letters = await h.make.inbox(home.id)
    const bin = await h.make.folder(home.id, { path: 'Bin', specialUse: 'trash' })
    const other = await h.make.message(letters)
    const there = await h.make.message(bin)
    const answer = await mail.ask('POST', BATCH, {
      ids: [other.id, message.id, there.id],
      move_to: 'trash',
    })
    const made = (await mail.folders()).find(({ path }) => path === 'Trash') ?? { id: 0 }
    expect(made).toMatchObject({ accountId: account.id, specialUse: 'trash' })
    expect(answer).toEqual({
      status: 200,
      body: { results: [ok(other.id, bin), ok(message.id, made), ok(there.id, bin)] },
    })
    expect(new Set((await mail.queued()).map(({ messageId, kind }) => [messageId, kind]))).toEqual(
      new Set([
        [null, 'create_folder'],
        [message.id, 'move'],
        [other.id, 'move'],
      ]),
    )
    expect(new Set((await mail.changesTold()).map(([, id, change]) => [id, change]))).toEqual(
      new Set([
        [message.id, 'moved'],
        [other.id, 'moved'],
      ]),
    )
  })

  test.each([
    ['archive', 'Archive'],
    ['spam', 'Junk'],
    ['trash', 'Trash'],
  ])('to %s', async (move_to, path) => {
    await using mail = await mailToChange()
    await mail.ask('POST', BATCH, { ids: [mail.message.id], move_to })
    expect((await mail.folders()).at(-1)).toMatchObject({ path, specialUse: move_to, total: 1 })
  })

  test('ids that are gone say so and keep nothing else from being changed', async () => {
    await using mail = await mailToChange()
    const { message, inbox } = mail
    expect(await mail.ask('POST', BATCH, { ids: [4711, message.id, 4712], read: true })).toEqual({
      status: 200,
      body: { results: [gone(4711), ok(message.id, inbox), gone(4712)] },
    })
    expect((await mail.queued()).length).toBe(1)
  })

  test('an id that is asked for twice is changed once and answered twice', async () => {
    await using mail = await mailToChange()
    const { message, inbox } = mail
    const ids = [message.id, 4711, message.id, 4711]
    expect(await mail.ask('POST', BATCH, { ids, read: true })).toEqual({
      status: 200,
      body: {
        results: [ok(message.id, inbox), gone(4711), ok(message.id, inbox), gone(4711)],
      },
    })
    expect((await mail.queued()).length).toBe(1)
    expect((await mail.told()).length).toBe(1)
  })

  test('a folder moves the messages of its account only; nothing of the others is changed', async () => {
    await using mail = await mailToChange()
    const { h, account, message } = mail
    const target = await h.make.folder(account.id)
    const foreign = await h.make.message(await h.make.inbox((await h.make.account()).id))
    const ids = [foreign.id, message.id]
    expect(await mail.ask('POST', BATCH, { ids, read: true, folder_id: target.id })).toEqual({
      status: 200,
      body: {
        results: [
          {
            id: foreign.id,
            status: 'error',
            error: { code: 'invalid_request', message: expect.stringContaining('folder') },
          },
          ok(message.id, target),
        ],
      },
    })
    expect((await mail.queued()).map(({ messageId }) => messageId)).toEqual([
      message.id,
      message.id,
    ])
    expect(await mail.rows()).toMatchObject([
      { id: message.id, read: true },
      { id: foreign.id, read: false, folderId: foreign.folderId },
    ])
  })

  test.each([
    ['no ids', () => ({ ids: [], read: true })],
    ['no change', (id: number) => ({ ids: [id] })],
    ['what is so already', (id: number) => ({ ids: [id], read: false, labels_remove: ['x'] })],
  ])('%s changes nothing', async (_, body) => {
    await using mail = await mailToChange()
    const before = await mail.everything()
    const asked = body(mail.message.id)
    expect(await mail.ask('POST', BATCH, asked)).toEqual({
      status: 200,
      body: { results: asked.ids.map((id) => ok(id, mail.inbox)) },
    })
    expect(await mail.everything()).toEqual(before)
  })

  test('a thousand of three accounts, changed all, in one transaction', async () => {
    await using mail = await mailToChange()
    const { h } = mail
    const [second, third] = [await h.make.account(), await h.make.account()]
    const inboxes = [mail.inbox, await h.make.inbox(second.id), await h.make.inbox(third.id)]
    const ids = [mail.message.id]
    while (ids.length < 1_000) {
      const inbox = inboxes[ids.length % 3] ?? mail.inbox
      ids.push((await h.make.message(inbox, { threadId: mail.message.threadId })).id)
    }
    const answer = await mail.ask('POST', BATCH, { ids, starred: true, labels_add: ['all'] })
    expect(answer.status).toBe(200)
    const { results } = answer.body as { results: { id: number; status: string }[] }
    expect(results.map(({ id }) => id)).toEqual(ids)
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['ok']))
    expect(new Set((await mail.queue()).map(({ messageId }) => messageId))).toEqual(new Set(ids))
    expect((await mail.told()).length).toBe(2_000)
    expect((await mail.rows()).every(({ starred, labels }) => starred && labels[0] === 'all')).toBe(
      true,
    )
  })
})

describe('400, and nothing is changed', () => {
  test.each<[string, (id: number) => unknown]>([
    ['both forms at once', (id) => ({ ids: [id], read: true, move_to: 'trash' })],
    ['a folder and a place', (id) => ({ ids: [id], folder_id: 1, move_to: 'trash' })],
    ['1,001 ids', (id) => ({ ids: Array.from({ length: 1_001 }, () => id), read: true })],
    ['no ids', () => ({ read: true })],
    ['ids that are no list', (id) => ({ ids: id, read: true })],
    ['an id as text', (id) => ({ ids: [id, String(id)], read: true })],
    ['half an id', (id) => ({ ids: [id, 1.5], read: true })],
    ['id 0', (id) => ({ ids: [id, 0], read: true })],
    ['null among the ids', (id) => ({ ids: [id, null], read: true })],
    ['an unknown field', (id) => ({ ids: [id], flagged: true })],
    ['an unknown place', (id) => ({ ids: [id], move_to: 'inbox' })],
    ['null for a place', (id) => ({ ids: [id], move_to: null })],
    ['read as text', (id) => ({ ids: [id], read: 'true' })],
    ['a label with CR and LF', (id) => ({ ids: [id], labels_add: ['x\r\nA1 DELETE INBOX'] })],
    ['a label of 10,000 characters', (id) => ({ ids: [id], labels_add: ['x'.repeat(10_000)] })],
    ['a system flag', (id) => ({ ids: [id], read: true, labels_remove: ['\\Seen'] })],
    ['a list', (id) => [id]],
  ])('%s', async (_, body) => {
    await using mail = await mailToChange()
    const before = await mail.everything()
    expect(await mail.ask('POST', BATCH, body(mail.message.id))).toEqual(
      refusal(400, 'invalid_request'),
    )
    expect(await mail.everything()).toEqual(before)
  })
})

test('403 without mail:modify, and nothing is changed', async () => {
  await using mail = await mailToChange({ scopes: ['mail:read', 'mail:send'] })
  const before = await mail.everything()
  const answer = await mail.ask('POST', BATCH, { ids: [mail.message.id], move_to: 'trash' })
  expect(answer).toEqual(refusal(403, 'insufficient_scope'))
  expect(await mail.everything()).toEqual(before)
})
