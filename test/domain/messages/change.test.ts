import { expect, test } from 'vitest'
import { changeMessages } from '../../../domain/messages/change-many.ts'
import { changeMessage } from '../../../domain/messages/change.ts'
import type { Store } from '../../../runtime/ports/store.ts'
import { type MailToChange, mailToChange } from '../../support/mail-to-change.ts'

const EVERYTHING = { read: true, starred: true, labelsAdd: ['x'] }

/** The ports over a store that counts its transactions and, if it `fails`, commits none. */
function counted({ h: { runtime } }: MailToChange, { fails = false } = {}) {
  let count = 0
  const { store } = runtime
  const durableTransaction: Store['durableTransaction'] = (work) => {
    count += 1
    return store.durableTransaction(async (tx) => {
      const result = await work(tx)
      if (fails) throw new Error('The power is gone.')
      return result
    })
  }
  const never = () => Promise.reject(new Error('Another transaction.'))
  const ctx = {
    ...runtime,
    store: { ...store, durableTransaction, transaction: never, commit: never },
  }
  return { ctx, count: () => count }
}

test('a change, its events and what is queued of it are one durable transaction', async () => {
  await using mail = await mailToChange()
  const { ctx, count } = counted(mail)
  const { id: messageId } = mail.message
  await changeMessage(ctx, { messageId, change: EVERYTHING })
  await changeMessage(ctx, { messageId, change: { moveTo: 'trash' } })
  expect(count()).toBe(2)
  expect((await mail.queued()).map(({ kind }) => kind)).toEqual(['flags', 'create_folder', 'move'])
  expect((await mail.told()).length).toBe(4)
})

test('of a transaction that is not committed, nothing is left', async () => {
  await using mail = await mailToChange()
  const { ctx } = counted(mail, { fails: true })
  const before = await mail.everything()
  const { id: messageId } = mail.message
  for (const change of [EVERYTHING, { moveTo: 'trash' } as const]) {
    await expect(changeMessage(ctx, { messageId, change })).rejects.toThrow('power')
    await expect(changeMessages(ctx, { messageIds: [messageId], change })).rejects.toThrow('power')
  }
  expect(await mail.everything()).toEqual(before)
})

test('many messages are one transaction, too', async () => {
  await using mail = await mailToChange()
  const { ctx, count } = counted(mail)
  const messageIds = [mail.message.id]
  while (messageIds.length < 250) messageIds.push((await mail.h.make.message(mail.inbox)).id)
  await changeMessages(ctx, { messageIds, change: EVERYTHING })
  expect(count()).toBe(1)
  expect((await mail.queue()).length).toBe(250)
  expect((await mail.told()).length).toBe(750)
})

test('who reads mail and who tells the servers is woken', async () => {
  await using mail = await mailToChange()
  const woken: string[] = []
  const wake = { ...mail.h.runtime.wake, now: (reason: string) => void woken.push(reason) }
  await changeMessage(
    { ...mail.h.runtime, wake },
    { messageId: mail.message.id, change: { read: true } },
  )
  expect(new Set(woken)).toEqual(new Set(['changes', 'mailbox_changes', 'events']))
})
