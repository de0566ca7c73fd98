import { expect, test } from 'vitest'
import { leftBehind } from '../../../db/schema/left-behind.ts'
import { type ConfirmedMove, confirmMove } from '../../../domain/mailbox-changes/confirm-move.ts'
import { type MailToChange, mailToChange } from '../../support/mail-to-change.ts'

/** A message on its way to the trash, which the server has moved to UID 70 there. */
async function moved() {
  const mail = await mailToChange()
  const trash = await mail.h.make.folder(mail.account.id, { path: 'Trash', specialUse: 'trash' })
  await mail.ask('DELETE', mail.path)
  const place = { folderId: trash.id, uid: 70, uidValidity: '9' }
  return { ...mail, place }
}

async function confirm(
  mail: MailToChange & { readonly place: ConfirmedMove['place'] },
  move: Pick<ConfirmedMove, 'isOriginalLeft' | 'isComplete'>,
) {
  const [change] = await mail.queue()
  if (!change?.messageId) throw new Error('Nothing is queued.')
  const { id, messageId } = change
  await mail.h.runtime.store.transaction((tx) =>
    confirmMove(tx, { change: { id, messageId }, place: mail.place, nowMs: 5, ...move }),
  )
}

const left = (mail: MailToChange) => mail.h.runtime.store.read.select().from(leftBehind)

test('after a MOVE the message is confirmed in its new place, under its id, and nothing is left', async () => {
  await using mail = await moved()
  const [before] = await mail.rows()
  await confirm(mail, { isOriginalLeft: false })
  const { folderId: serverFolderId, uid, uidValidity } = mail.place
  expect(await mail.rows()).toEqual([{ ...before, serverFolderId, uid, uidValidity, modseq: null }])
  expect(await mail.queue()).toEqual([])
  expect(await left(mail)).toEqual([])
  expect((await mail.told()).length).toBe(1)
})

test('after a COPY its original is left behind, and queued to be expunged', async () => {
  await using mail = await moved()
  await confirm(mail, { isOriginalLeft: true })
  const { id: folderId } = mail.inbox
  expect(await left(mail)).toEqual([{ folderId, uid: 7, goneAt: null }])
  expect(await mail.queue()).toMatchObject([
    {
      accountId: mail.account.id,
      messageId: null,
      kind: 'expunge',
      change: { folderId, uid: 7, uidValidity: '1' },
      nextAttemptAt: 5,
    },
  ])
})

test('a move that goes on from there stays queued', async () => {
  await using mail = await moved()
  const queued = await mail.queued()
  await confirm(mail, { isOriginalLeft: false, isComplete: false })
  expect(await mail.queued()).toEqual(queued)
  expect(await mail.rows()).toMatchObject([{ serverFolderId: mail.place.folderId, uid: 70 }])
})

test('of a message that is gone, the change is forgotten', async () => {
  await using mail = await moved()
  await mail.forgetMessages()
  await confirm(mail, { isOriginalLeft: true })
  expect(await mail.queue()).toEqual([])
  expect(await left(mail)).toEqual([])
})
