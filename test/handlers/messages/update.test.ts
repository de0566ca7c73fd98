import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { accounts } from '../../../db/schema/accounts.ts'
import { mailToChange, refusal } from '../../support/mail-to-change.ts'

const EVENT = 'message.updated'

describe('200', () => {
  test.each([
    { change: { read: true }, queued: { read: true }, shown: { read: true }, kind: 'read' },
    {
      change: { starred: true },
      queued: { starred: true },
      shown: { starred: true },
      kind: 'starred',
    },
    {
      change: { labels_add: ['bills', ' to do '] },
      queued: { labelsAdded: ['bills', 'to do'] },
      shown: { labels: ['bills', 'to do'] },
      kind: 'labeled',
    },
  ])('$change is shown, queued and told', async ({ change, queued, shown, kind }) => {
    await using mail = await mailToChange()
    const { path, message } = mail
    const answer = await mail.ask('PATCH', path, change)
    expect(answer).toMatchObject({
      status: 200,
      body: { id: message.id, read: false, starred: false, labels: [], ...shown },
    })
    expect(await mail.queued()).toEqual([{ messageId: message.id, kind: 'flags', change: queued }])
    expect(await mail.changesTold()).toEqual([[EVENT, message.id, kind, 'svc', 'INBOX']])
    expect(answer).toEqual({ status: 200, body: await (await mail.h.get(path)).json().then(bare) })
  })

  test('the other way round', async () => {
    await using mail = await mailToChange()
    const { id } = await mail.h.make.message(mail.inbox, {
      read: true,
      starred: true,
      labels: ['Bills', 'work'],
    })
    const change = { read: false, starred: false, labels_remove: ['bills', 'nothing'] }
    expect(await mail.ask('PATCH', `/api/v1/messages/${id}`, change)).toMatchObject({
      status: 200,
      body: { read: false, starred: false, labels: ['work'] },
    })
    expect(await mail.queued()).toEqual([
      {
        messageId: id,
        kind: 'flags',
        change: { read: false, starred: false, labelsRemoved: ['Bills'] },
      },
    ])
    expect((await mail.changesTold()).map(([, , change]) => change)).toEqual([
      'unread',
      'unstarred',
      'unlabeled',
    ])
  })

  test('everything at once, in its order: one event for each kind, the move queued last', async () => {
    await using mail = await mailToChange()
    const { h, account, message, path } = mail
    const target = await h.make.folder(account.id, { path: 'Archive/2026' })
    const answer = await mail.ask('PATCH', path, {
      folder_id: target.id,
      labels_remove: ['none'],
      labels_add: ['work'],
      starred: true,
      read: true,
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { id: message.id, folder_id: target.id, read: true, starred: true, labels: ['work'] },
    })
    expect(await mail.queued()).toEqual([
      {
        messageId: message.id,
        kind: 'flags',
        change: { read: true, starred: true, labelsAdded: ['work'] },
      },
      { messageId: message.id, kind: 'move', change: { folderId: target.id } },
    ])
    expect(await mail.changesTold()).toEqual(
      ['read', 'starred', 'labeled', 'moved'].map((change) => [
        EVENT,
        message.id,
        change,
        'svc',
        'Archive/2026',
      ]),
    )
  })

  test('an event says all that one of a received message says', async () => {
    await using mail = await mailToChange()
    const { account, inbox, message, path } = mail
    await mail.ask('PATCH', path, { read: true })
    const { message_id } = (await (await mail.h.get(path)).json()) as { message_id: string }
    expect(await mail.told()).toMatchObject([
      {
        kind: EVENT,
        accountId: account.id,
        createdAt: mail.h.clock.now().getTime(),
        data: {
          id: message.id,
          account: 'Work',
          folder: 'INBOX',
          folder_id: inbox.id,
          subject: 'Lunch',
          date: new Date(message.date).toISOString(),
          snippet: 'Hello.',
          message_id,
          change: 'read',
          origin: 'svc',
        },
      },
    ])
  })

  test('a label that is added and removed is removed', async () => {
    await using mail = await mailToChange()
    const { path } = mail
    const both = { labels_add: ['a', 'b'], labels_remove: ['B'] }
    expect(await mail.ask('PATCH', path, both)).toMatchObject({ body: { labels: ['a'] } })
    expect(
      await mail.ask('PATCH', path, { labels_add: ['A'], labels_remove: ['a'] }),
    ).toMatchObject({ body: { labels: [] } })
    expect((await mail.queued()).map(({ change }) => change)).toEqual([
      { labelsAdded: ['a'] },
      { labelsRemoved: ['a'] },
    ])
    expect((await mail.changesTold()).map(([, , change]) => change)).toEqual([
      'labeled',
      'unlabeled',
    ])
  })

  test.each([
    ['nothing', {}],
    ['what is so already', { read: false, starred: false, labels_add: [], labels_remove: ['x'] }],
    ['a label added and taken away again', { labels_add: ['x'], labels_remove: ['X'] }],
  ])('%s changes nothing', async (_, change) => {
    await using mail = await mailToChange()
    const before = await mail.everything()
    const shown = await (await mail.h.get(mail.path)).json()
    expect(await mail.ask('PATCH', mail.path, change)).toEqual({ status: 200, body: bare(shown) })
    expect(await mail.everything()).toEqual(before)
  })

  test('nor does the folder that it is in, or a label in other letters', async () => {
    await using mail = await mailToChange()
    const { path, inbox } = mail
    await mail.ask('PATCH', path, { labels_add: ['Bills'] })
    const before = await mail.everything()
    const same = { folder_id: inbox.id, labels_add: ['BILLS'] }
    expect(await mail.ask('PATCH', path, same)).toMatchObject({ body: { labels: ['Bills'] } })
    expect(await mail.everything()).toEqual(before)
  })

  test('a message is listed where it was moved to, and no longer where it was', async () => {
    await using mail = await mailToChange()
    const { h, account, inbox, message, path } = mail
    const target = await h.make.folder(account.id)
    await mail.ask('PATCH', path, { folder_id: target.id })
    const listed = async (query: string) =>
      (await (await h.get(`/api/v1/messages?${query}`)).json()) as { data: unknown[] }
    expect(await listed(`folder=${target.id}`)).toMatchObject({ data: [{ id: message.id }] })
    expect(await listed(`folder=${inbox.id}`)).toMatchObject({ data: [] })
    expect(await listed('')).toMatchObject({ data: [] })
    await mail.ask('PATCH', path, { folder_id: inbox.id })
    expect(await listed('')).toMatchObject({ data: [{ id: message.id }] })
    expect(await mail.folders()).toMatchObject([
      { id: inbox.id, total: 1, unread: 1 },
      { id: target.id, total: 0, unread: 0 },
    ])
  })

  test('a change made here waits for its server under the message, not under a UID', async () => {
    await using mail = await mailToChange()
    const nowMs = mail.h.clock.now().getTime()
    await mail.ask('PATCH', mail.path, { read: true })
    expect(await mail.queue()).toMatchObject([
      { accountId: mail.account.id, nextAttemptAt: nowMs, createdAt: nowMs, attempts: 0 },
    ])
    // What the server has said last stays as it was said.
    expect(await mail.rows()).toMatchObject([
      { read: true, serverFlags: [], uid: 7, serverFolderId: mail.inbox.id },
    ])
  })
})

/** A message without what only its detail has. */
function bare(shown: unknown) {
  const { body: _body, attachments: _attachments, ...rest } = shown as Record<string, unknown>
  return rest
}

describe('400, and nothing is changed', () => {
  test.each<[string, unknown]>([
    ['an unknown field', { read: true, flagged: true }],
    ['read as text', { read: 'true' }],
    ['read as a number', { read: 1 }],
    ['null', { read: null }],
    ['starred as text', { starred: 'yes' }],
    ['labels that are no list', { labels_add: 'x' }],
    ['a label that is a number', { labels_add: [7] }],
    ['null for labels', { labels_remove: null }],
    ['a folder as text', { folder_id: '1' }],
    ['half a folder', { folder_id: 1.5 }],
    ['folder 0', { folder_id: 0 }],
    ['no such folder', { read: true, folder_id: 4711 }],
    ['a folder beyond all numbers', { folder_id: 1e300 }],
    ['an empty label', { read: true, labels_add: [' '] }],
    ['a label with CR and LF', { read: true, labels_add: ['x\r\nA1 DELETE INBOX'] }],
    ['a label with LF at its end', { labels_add: ['x\n'] }],
    ['a label with NUL', { labels_add: ['x\0'] }],
    ['a label with a tab', { labels_remove: ['x\ty'] }],
    ['a label with a line separator', { labels_add: ['x\u2028y'] }],
    ['a label with a paragraph separator', { labels_add: ['x\u2029y'] }],
    ['a label with NEL', { labels_add: ['x\u0085y'] }],
    ['a label of 10,000 characters', { labels_add: ['x'.repeat(10_000)] }],
    ['a label to remove of 10,000 characters', { read: true, labels_remove: ['x'.repeat(10_000)] }],
    ['a system flag', { labels_add: ['\\Deleted'] }],
    ['a keyword of programs', { labels_add: ['$Junk'] }],
    ['101 labels', { labels_add: Array.from({ length: 101 }, (_, at) => `l${at}`) }],
    ['a list', [{ read: true }]],
    ['text', 'read'],
    ['no object', null],
  ])('%s', async (_, body) => {
    await using mail = await mailToChange()
    const before = await mail.everything()
    expect(await mail.ask('PATCH', mail.path, body)).toEqual(refusal(400, 'invalid_request'))
    expect(await mail.everything()).toEqual(before)
  })

  test.each(['{"read":', '{"read":true}}', '', 'read=true'])('a body of %j', async (body) => {
    await using mail = await mailToChange()
    const before = await mail.everything()
    const answer = await mail.h.api.request(mail.path, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${mail.h.secret}`, 'Content-Type': 'application/json' },
      body,
    })
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_request' } },
    ])
    expect(await mail.everything()).toEqual(before)
  })

  test('a folder of another account, or one that can hold no mail', async () => {
    await using mail = await mailToChange()
    const { h, account, path } = mail
    const other = await h.make.inbox((await h.make.account()).id)
    const container = await h.make.folder(account.id, { selectable: false })
    const before = await mail.everything()
    for (const { id } of [other, container])
      expect(await mail.ask('PATCH', path, { read: true, folder_id: id })).toEqual(
        refusal(400, 'invalid_request'),
      )
    expect(await mail.everything()).toEqual(before)
  })
})

test.each(['mail:read', 'mail:send accounts:read webhooks:manage'])(
  '403 with %s only, and nothing is changed',
  async (scopes) => {
    await using mail = await mailToChange({ scopes: scopes.split(' ') })
    const before = await mail.everything()
    expect(await mail.ask('PATCH', mail.path, { read: true })).toEqual(
      refusal(403, 'insufficient_scope'),
    )
    expect(await mail.everything()).toEqual(before)
  },
)

describe('404', () => {
  test.each(['4711', '0', '-1', '1.5', 'x', '99999999999999999999'])(
    'no message %s',
    async (id) => {
      await using mail = await mailToChange()
      const before = await mail.everything()
      expect(await mail.ask('PATCH', `/api/v1/messages/${id}`, { read: true })).toEqual(
        refusal(404, 'not_found'),
      )
      expect(await mail.everything()).toEqual(before)
    },
  )

  test('a message of an account that is being removed', async () => {
    await using mail = await mailToChange()
    const isWork = eq(accounts.id, mail.account.id)
    await mail.h.runtime.store.commit((write) => [
      write.update(accounts).set({ removingSince: 1 }).where(isWork),
    ])
    const before = await mail.everything()
    expect(await mail.ask('PATCH', mail.path, { read: true })).toEqual(refusal(404, 'not_found'))
    expect(await mail.everything()).toEqual(before)
  })
})
