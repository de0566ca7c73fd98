import { describe, expect, test } from 'vitest'
import { leftBehind } from '../../../db/schema/left-behind.ts'
import { queueMailboxChanges } from '../../../domain/mailbox-changes/queue.ts'
import {
  isCreationPending,
  settleChanges,
  settleCreation,
  settleExpunge,
  startMoves,
} from '../../../domain/mailbox-changes/settle.ts'
import { releaseLease } from '../../../domain/sync/lease.ts'
import { type MailToChange, mailToChange } from '../../support/mail-to-change.ts'

test('what was made is forgotten, and nothing else', async () => {
  await using mail = await mailToChange()
  for (const change of [{ read: true }, { starred: true }, { read: false }])
    await mail.ask('PATCH', mail.path, change)
  const [first, second, third] = await mail.queue()
  await settleChanges(
    mail.h.runtime,
    await mail.lease(),
    [first, third].flatMap((change) => change?.id ?? []),
  )
  expect(await mail.queue()).toEqual([second])
})

test('a move is first asked for once', async () => {
  await using mail = await mailToChange()
  await mail.ask('DELETE', mail.path)
  const ids = (await mail.queue()).slice(1).map(({ id }) => id)
  const startedAt = mail.h.clock.now().getTime()
  await startMoves(mail.h.runtime, await mail.lease(), ids)
  mail.h.clock.advance(1_000)
  await startMoves(mail.h.runtime, await mail.lease(), ids)
  expect(await mail.queue()).toMatchObject([
    { kind: 'create_folder', startedAt: null },
    { kind: 'move', startedAt },
  ])
})

test('whoever has lost the account settles nothing', async () => {
  await using mail = await mailToChange()
  await mail.ask('DELETE', mail.path)
  const lease = await mail.lease()
  await releaseLease(mail.h.runtime, lease)
  const before = await mail.queue()
  const ids = before.map(({ id }) => id)
  await expect(settleChanges(mail.h.runtime, lease, ids)).rejects.toThrow('another process')
  await expect(startMoves(mail.h.runtime, lease, ids)).rejects.toThrow('another process')
  expect(await mail.queue()).toEqual(before)
})

describe('an expunge', () => {
  const original = (mail: MailToChange, uid: number) => ({
    folderId: mail.inbox.id,
    uid,
    uidValidity: '1',
  })
  const expunges = async (mail: MailToChange) => {
    const { store } = mail.h.runtime
    const originals = [7, 8].map((uid) => original(mail, uid))
    await store.transaction((tx) =>
      tx.insert(leftBehind).values(originals.map(({ folderId, uid }) => ({ folderId, uid }))),
    )
    await store.transaction((tx) =>
      queueMailboxChanges(
        tx,
        0,
        originals.map((change) => ({ accountId: mail.account.id, kind: 'expunge', change })),
      ),
    )
    const [first] = await mail.queue()
    return [{ id: first?.id ?? 0, original: original(mail, 7) }]
  }

  test.each([
    [true, [8]],
    [false, [7, 8]],
  ])('whose original is gone: %s', async (isGone, uids) => {
    await using mail = await mailToChange()
    const changes = await expunges(mail)
    await settleExpunge(mail.h.runtime, await mail.lease(), { changes, isGone })
    const left = await mail.h.runtime.store.read.select().from(leftBehind)
    expect(left.filter(({ goneAt }) => goneAt === null).map(({ uid }) => uid)).toEqual(uids)
    expect(await mail.queued()).toMatchObject([{ change: { uid: 8 } }])
  })
})

describe('a folder that was made on the server', () => {
  const created = async (mail: MailToChange, path: string) => {
    const { body } = await mail.ask('DELETE', mail.path)
    const { folder_id: folderId } = body as { folder_id: number }
    const [creation] = await mail.queue()
    expect(await isCreationPending(mail.h.runtime, folderId)).toBe(true)
    return { id: creation?.id ?? 0, folderId, path }
  }

  test('has the path that it got there', async () => {
    await using mail = await mailToChange()
    const creation = await created(mail, 'INBOX.Trash')
    await settleCreation(mail.h.runtime, await mail.lease(), creation)
    const { folderId } = creation
    expect(await isCreationPending(mail.h.runtime, folderId)).toBe(false)
    expect((await mail.folders()).at(-1)).toMatchObject({ id: folderId, path: 'INBOX.Trash' })
    expect(await mail.queued()).toEqual([
      { messageId: mail.message.id, kind: 'move', change: { folderId } },
    ])
  })

  test('and was found there by a sync, takes what was meant for ours, of this account only', async () => {
    await using mail = await mailToChange()
    const { h, account } = mail
    const creation = await created(mail, 'INBOX.Trash')
    const found = await h.make.folder(account.id, { path: 'INBOX.Trash' })
    const foreign = await h.make.folder((await h.make.account()).id, { path: 'INBOX.Trash' })
    await settleCreation(h.runtime, await mail.lease(), creation)
    expect((await mail.folders()).map(({ id }) => id)).toEqual([
      mail.inbox.id,
      found.id,
      foreign.id,
    ])
    expect(await mail.rows()).toMatchObject([{ id: mail.message.id, folderId: found.id }])
    expect(await mail.queued()).toEqual([
      { messageId: mail.message.id, kind: 'move', change: { folderId: found.id } },
    ])
    expect((await mail.folders()).find(({ id }) => id === found.id)).toMatchObject({ total: 1 })
  })
})
