import { expect, test } from 'vitest'
import { dueChanges } from '../../../domain/mailbox-changes/due.ts'
import { postponeChanges } from '../../../domain/mailbox-changes/postpone.ts'
import { settleChanges } from '../../../domain/mailbox-changes/settle.ts'
import { type MailToChange, mailToChange } from '../../support/mail-to-change.ts'

const due = async ({ h, account }: MailToChange) =>
  (await dueChanges(h.runtime, account.id)).map(({ id, kind, messageId }) => ({
    id,
    kind,
    messageId,
  }))

test('a change comes with its message as the server has it, not as it is shown', async () => {
  await using mail = await mailToChange()
  await mail.ask('PATCH', mail.path, { read: true })
  await mail.ask('DELETE', mail.path)
  const [, change] = await dueChanges(mail.h.runtime, mail.account.id)
  expect(change).toMatchObject({
    kind: 'flags',
    change: { read: true },
    messageId: mail.message.id,
    serverFolderId: mail.inbox.id,
    uid: 7,
    uidValidity: '1',
    serverFlags: [],
    serverLabels: null,
    startedAt: null,
    attempts: 0,
  })
})

test('of each message only the first, whether or not that is due', async () => {
  await using mail = await mailToChange()
  const { h, message } = mail
  const second = await h.make.message(mail.inbox)
  await mail.ask('PATCH', mail.path, { read: true })
  await mail.ask('PATCH', mail.path, { read: false })
  await mail.ask('PATCH', `/api/v1/messages/${second.id}`, { starred: true })
  const [first, next, other] = await mail.queue()
  expect((await due(mail)).map(({ id }) => id)).toEqual([first?.id, other?.id])

  const lease = await mail.lease()
  await postponeChanges(h.runtime, lease, { ids: [first?.id ?? 0], reason: 'Later.' })
  expect((await due(mail)).map(({ messageId }) => messageId)).toEqual([second.id])

  await settleChanges(h.runtime, lease, [first?.id ?? 0])
  expect((await due(mail)).map(({ id }) => id)).toEqual([next?.id, other?.id])
  expect((await due(mail)).map(({ messageId }) => messageId)).toEqual([message.id, second.id])
})

test('new folders before all', async () => {
  await using mail = await mailToChange()
  const second = await mail.h.make.message(mail.inbox)
  await mail.ask('PATCH', mail.path, { read: true })
  await mail.ask('POST', `/api/v1/messages/${second.id}/archive`)
  await mail.ask('POST', `/api/v1/messages/${second.id}/spam`)
  expect((await due(mail)).map(({ kind }) => kind)).toEqual([
    'create_folder',
    'create_folder',
    'flags',
    'move',
  ])
})

test('nothing of another account, and nothing before its time', async () => {
  await using mail = await mailToChange()
  const { h } = mail
  const foreign = await h.make.message(await h.make.inbox((await h.make.account()).id))
  await mail.ask('PATCH', `/api/v1/messages/${foreign.id}`, { read: true })
  expect(await due(mail)).toEqual([])
  h.clock.advance(-1)
  expect(await dueChanges(h.runtime, foreign.accountId)).toEqual([])
  h.clock.advance(1)
  expect(await dueChanges(h.runtime, foreign.accountId)).toHaveLength(1)
})

test('a change of a message that is gone is due, without a place', async () => {
  await using mail = await mailToChange()
  await mail.ask('PATCH', mail.path, { read: true })
  await mail.forgetMessages()
  expect(await dueChanges(mail.h.runtime, mail.account.id)).toMatchObject([
    { messageId: mail.message.id, serverFolderId: null, uid: null, serverFlags: null },
  ])
})
