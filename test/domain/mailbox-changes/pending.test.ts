import { expect, test } from 'vitest'
import { NOTHING_PENDING, pendingChanges } from '../../../domain/mailbox-changes/pending.ts'
import { queueMailboxChanges } from '../../../domain/mailbox-changes/queue.ts'
import { startMoves } from '../../../domain/mailbox-changes/settle.ts'
import { mailToChange } from '../../support/mail-to-change.ts'

test('of nothing, nothing is pending', async () => {
  await using mail = await mailToChange()
  const { read } = mail.h.runtime.store
  expect(await pendingChanges(read, [])).toEqual(new Map())
  expect(await pendingChanges(read, [mail.message.id])).toEqual(new Map())
})

test('all that was changed of a message and not yet confirmed, and nothing of another', async () => {
  await using mail = await mailToChange()
  const { h, account, message } = mail
  const other = await h.make.message(mail.inbox)
  const [one, two] = [await h.make.folder(account.id), await h.make.folder(account.id)]
  const change = { accountId: account.id, messageId: message.id }
  await h.runtime.store.transaction((tx) =>
    queueMailboxChanges(tx, 0, [
      { ...change, kind: 'flags', change: { read: true, labelsAdded: ['a'] } },
      { ...change, kind: 'move', change: { folderId: one.id } },
      { ...change, kind: 'flags', change: { labelsAdded: ['b'], labelsRemoved: ['a'] } },
      { accountId: account.id, kind: 'create_folder', change: { folderId: two.id } },
      { ...change, kind: 'move', change: { folderId: two.id } },
      { ...change, messageId: other.id, kind: 'flags', change: { starred: false } },
    ]),
  )
  const pending = async () =>
    pendingChanges(h.runtime.store.read, [message.id, other.id, other.id + 1])
  const ofMessage = {
    read: true,
    starred: false,
    answered: false,
    labelsAdded: ['a', 'b'],
    labelsRemoved: ['a'],
    moved: true,
    movedTo: two.id,
    moveStarted: false,
  }
  const ofOther = { ...NOTHING_PENDING, starred: true }
  expect(await pending()).toEqual(
    new Map([
      [message.id, ofMessage],
      [other.id, ofOther],
    ]),
  )

  const started = (await mail.queue()).find(({ kind }) => kind === 'move')
  await startMoves(h.runtime, await mail.lease(), [started?.id ?? 0])
  expect((await pending()).get(message.id)).toEqual({ ...ofMessage, moveStarted: true })
})
