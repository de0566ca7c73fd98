import { expect, test } from 'vitest'
import { confirmFlags } from '../../../domain/mailbox-changes/confirm-flags.ts'
import { mailToChange } from '../../support/mail-to-change.ts'

const MESSAGES = 120

test('what a server was told of many messages is what it has, in short transactions, and nothing is queued', async () => {
  await using mail = await mailToChange()
  const { h, inbox } = mail
  for (let uid = 8; uid < 7 + MESSAGES; uid += 1)
    await h.make.message(inbox, { serverFolderId: inbox.id, uid, uidValidity: '1' })
  const ids = (await mail.rows()).map(({ id }) => id)
  await mail.ask('POST', '/api/v1/messages/batch', { ids, read: true })
  const changes = (await mail.queue()).map(({ id, messageId }) => ({
    id,
    messageId: messageId ?? 0,
  }))
  expect(changes.length).toBe(MESSAGES)

  const { store } = h.runtime
  let transactions = 0
  const counting = {
    store: {
      ...store,
      transaction: <T>(work: Parameters<typeof store.transaction<T>>[0]) => {
        transactions += 1
        return store.transaction(work)
      },
    },
  }
  await confirmFlags(counting, await mail.lease(), {
    changes,
    flags: { add: ['\\Seen'] },
    labels: {},
  })
  expect(transactions).toBeGreaterThan(1)
  expect(await mail.queue()).toEqual([])
  expect((await mail.rows()).map(({ serverFlags }) => serverFlags)).toEqual(
    ids.map(() => ['\\Seen']),
  )
})
