import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { messages } from '../../../db/schema/messages.ts'
import { rollBackChanges } from '../../../domain/mailbox-changes/roll-back.ts'
import { settleChanges } from '../../../domain/mailbox-changes/settle.ts'
import { markAnswered } from '../../../domain/outbox/mark-answered.ts'
import { releaseLease } from '../../../domain/sync/lease.ts'
import { unitOfWork } from '../../../domain/unit-of-work.ts'
import { type MailToChange, mailToChange } from '../../support/mail-to-change.ts'

const REASON = 'Permission denied'

/** Refuses those of the queued changes that `isRefused` names by their place; returns what was told since. */
async function refuse(mail: MailToChange, ...places: readonly number[]) {
  const toldBefore = (await mail.told()).length
  const queue = await mail.queue()
  const ids = places.flatMap((place) => queue[place]?.id ?? [])
  await rollBackChanges(mail.h.runtime, await mail.lease(), { ids, reason: REASON })
  return (await mail.changesTold()).slice(toldBefore)
}

const told = ({ message }: MailToChange, change: string, folder = 'INBOX') => [
  'message.updated',
  message.id,
  change,
  'svc',
  folder,
]

/** What the server is known to have of the message. */
const serverHas = ({ h, message }: MailToChange, serverFlags: readonly string[]) =>
  h.runtime.store.transaction((tx) =>
    tx.update(messages).set({ serverFlags }).where(eq(messages.id, message.id)),
  )

describe('what the server has is shown again, told, and a notice left', () => {
  test('flags', async () => {
    await using mail = await mailToChange()
    await mail.ask('PATCH', mail.path, { read: true, starred: true })
    expect(await refuse(mail, 0)).toEqual([told(mail, 'unread'), told(mail, 'unstarred')])
    expect(await mail.rows()).toMatchObject([{ read: false, starred: false }])
    expect(await mail.queue()).toEqual([])
    expect(await mail.notices()).toMatchObject([
      {
        accountId: mail.account.id,
        messageId: mail.message.id,
        kind: 'change_refused',
        text: `The mail server refused to change "Lunch": ${REASON}`,
        createdAt: mail.h.clock.now().getTime(),
      },
    ])
  })

  test('that it was answered, of which nobody is told', async () => {
    await using mail = await mailToChange()
    const { runtime } = mail.h
    const answer = { messageId: mail.message.id, nowMs: 1 }
    await unitOfWork(runtime, (unit) => markAnswered(unit, answer))
    await unitOfWork(runtime, (unit) => markAnswered(unit, answer))
    expect(await mail.queued()).toMatchObject([{ change: { answered: true } }])
    expect(await mail.rows()).toMatchObject([{ answered: true }])
    expect(await refuse(mail, 0)).toEqual([])
    expect(await mail.rows()).toMatchObject([{ answered: false }])
  })

  test('labels: what was added goes, what was removed comes back', async () => {
    await using mail = await mailToChange()
    await mail.ask('PATCH', mail.path, { labels_add: ['old', 'mine'] })
    await settleChanges(mail.h.runtime, await mail.lease(), [(await mail.queue())[0]?.id ?? 0])
    await serverHas(mail, ['old'])
    await mail.ask('PATCH', mail.path, { labels_add: ['new'], labels_remove: ['OLD'] })
    expect(await refuse(mail, 0)).toEqual([told(mail, 'labeled'), told(mail, 'unlabeled')])
    expect(await mail.rows()).toMatchObject([{ labels: ['mine', 'old'] }])
  })

  test('a move', async () => {
    await using mail = await mailToChange()
    const { h, account, inbox } = mail
    const target = await h.make.folder(account.id, { path: 'Shared' })
    await mail.ask('PATCH', mail.path, { folder_id: target.id })
    expect(await refuse(mail, 0)).toEqual([told(mail, 'moved')])
    expect(await mail.rows()).toMatchObject([{ folderId: inbox.id, inInbox: true }])
    expect(await mail.notices()).toMatchObject([{ text: expect.stringContaining('move "Lunch"') }])
    expect(await mail.folders()).toHaveLength(2)
  })

  test('what the server has come to have in the meantime is no news', async () => {
    await using mail = await mailToChange()
    await mail.ask('PATCH', mail.path, { read: true, labels_add: ['work'] })
    await serverHas(mail, ['WORK', '\\Seen'])
    expect(await refuse(mail, 0)).toEqual([])
    expect(await mail.rows()).toMatchObject([{ read: true, labels: ['work'] }])
  })
})

describe('a later change of the same stays as it is shown', () => {
  test('flags', async () => {
    await using mail = await mailToChange()
    await mail.ask('PATCH', mail.path, { read: true })
    await mail.ask('PATCH', mail.path, { read: false })
    await mail.ask('PATCH', mail.path, { read: true })
    expect(await refuse(mail, 0)).toEqual([])
    expect(await mail.rows()).toMatchObject([{ read: true }])
    expect(await mail.queue()).toHaveLength(2)
  })

  test('a label added again', async () => {
    await using mail = await mailToChange()
    for (const change of [{ labels_add: ['a'] }, { labels_remove: ['a'] }, { labels_add: ['A'] }])
      await mail.ask('PATCH', mail.path, change)
    expect(await refuse(mail, 0)).toEqual([])
    expect(await mail.rows()).toMatchObject([{ labels: ['A'] }])
  })

  test('a label removed again', async () => {
    await using mail = await mailToChange()
    const { id } = mail.message
    await mail.h.runtime.store.transaction((tx) =>
      tx
        .update(messages)
        .set({ labels: ['a'], serverFlags: ['a'] })
        .where(eq(messages.id, id)),
    )
    for (const change of [
      { labels_remove: ['a'] },
      { labels_add: ['a'] },
      { labels_remove: ['a'] },
    ])
      await mail.ask('PATCH', mail.path, change)
    expect(await refuse(mail, 0)).toEqual([])
    expect(await mail.rows()).toMatchObject([{ labels: [] }])
  })

  test('a move', async () => {
    await using mail = await mailToChange()
    const { h, account } = mail
    const [one, two] = [await h.make.folder(account.id), await h.make.folder(account.id)]
    for (const { id } of [one, two]) await mail.ask('PATCH', mail.path, { folder_id: id })
    expect(await refuse(mail, 0)).toEqual([])
    expect(await mail.rows()).toMatchObject([{ folderId: two.id }])
  })
})

describe('a folder that the server does not make', () => {
  test('goes, with all moves to it, and every message is where it was', async () => {
    await using mail = await mailToChange()
    const second = await mail.h.make.message(mail.inbox, { serverFolderId: mail.inbox.id, uid: 8 })
    await mail.ask('DELETE', mail.path)
    await mail.ask('PATCH', mail.path, { starred: true })
    await mail.ask('DELETE', `/api/v1/messages/${second.id}`)
    expect(await refuse(mail, 0)).toEqual([
      told(mail, 'moved'),
      ['message.updated', second.id, 'moved', 'svc', 'INBOX'],
    ])
    expect(await mail.folders()).toMatchObject([{ id: mail.inbox.id, total: 2 }])
    expect(await mail.rows()).toMatchObject([
      { id: mail.message.id, folderId: mail.inbox.id, inInbox: true, starred: true },
      { id: second.id, folderId: mail.inbox.id },
    ])
    expect((await mail.queued()).map(({ kind }) => kind)).toEqual(['flags'])
    expect(await mail.notices()).toHaveLength(2)
  })

  test('a message that was on its way elsewhere before goes there, and is not lost', async () => {
    await using mail = await mailToChange()
    const { h, account } = mail
    const target = await h.make.folder(account.id, { path: 'Bills' })
    await mail.ask('PATCH', mail.path, { folder_id: target.id })
    await mail.ask('DELETE', mail.path)
    // In the queue: to Bills, the new folder, to the new folder.
    expect(await refuse(mail, 1)).toEqual([told(mail, 'moved', 'Bills')])
    expect(await mail.rows()).toMatchObject([{ id: mail.message.id, folderId: target.id }])
    expect(await mail.queued()).toMatchObject([{ kind: 'move', change: { folderId: target.id } }])
  })

  test('one that went on elsewhere stays there', async () => {
    await using mail = await mailToChange()
    const target = await mail.h.make.folder(mail.account.id, { path: 'Bills' })
    await mail.ask('DELETE', mail.path)
    await mail.ask('PATCH', mail.path, { folder_id: target.id })
    expect(await refuse(mail, 0)).toEqual([])
    expect(await mail.rows()).toMatchObject([{ folderId: target.id }])
  })
})

test('a message that is gone is passed over', async () => {
  await using mail = await mailToChange()
  await mail.ask('PATCH', mail.path, { read: true })
  await mail.forgetMessages()
  expect(await refuse(mail, 0)).toEqual([])
  expect(await mail.queue()).toEqual([])
  expect(await mail.notices()).toEqual([])
})

test('nothing is rolled back for an account that another holds', async () => {
  await using mail = await mailToChange()
  await mail.ask('PATCH', mail.path, { read: true })
  const lease = await mail.lease()
  await releaseLease(mail.h.runtime, lease)
  const before = await mail.everything()
  const ids = (await mail.queue()).map(({ id }) => id)
  await expect(rollBackChanges(mail.h.runtime, lease, { ids, reason: 'x' })).rejects.toThrow()
  expect(await mail.everything()).toEqual(before)
})

describe('Gmail', () => {
  test('a refused move shows the message where its labels have it', async () => {
    await using mail = await mailToChange()
    const { h, account, inbox, message } = mail
    const allMail = await h.make.folder(account.id, { path: 'All', specialUse: 'archive' })
    await h.runtime.store.transaction((tx) =>
      tx
        .update(messages)
        .set({ serverFolderId: allMail.id, serverLabels: ['\\Inbox', 'kept'], labels: ['kept'] })
        .where(eq(messages.id, message.id)),
    )
    await mail.ask('POST', `${mail.path}/archive`)
    await mail.ask('PATCH', mail.path, { labels_add: ['x'], labels_remove: ['kept'] })
    expect(await refuse(mail, 0, 1)).toEqual([
      told(mail, 'moved'),
      told(mail, 'labeled'),
      told(mail, 'unlabeled'),
    ])
    expect(await mail.rows()).toMatchObject([{ folderId: inbox.id, labels: ['kept'] }])
  })
})
