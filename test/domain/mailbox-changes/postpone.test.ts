import { expect, test } from 'vitest'
import { dueChanges } from '../../../domain/mailbox-changes/due.ts'
import { postponeChanges } from '../../../domain/mailbox-changes/postpone.ts'
import { releaseLease } from '../../../domain/sync/lease.ts'
import { mailToChange } from '../../support/mail-to-change.ts'

test('each attempt waits twice as long as the last, five minutes at most, however many there were', async () => {
  await using mail = await mailToChange()
  const { h } = mail
  await mail.ask('PATCH', mail.path, { read: true })
  const lease = await mail.lease()
  const ids = (await mail.queue()).map(({ id }) => id)
  const delays: number[] = []
  for (let attempt = 0; attempt < 80; attempt++) {
    await postponeChanges(h.runtime, lease, { ids, reason: 'No connection.' })
    const [change] = await mail.queue()
    const delayMs = (change?.nextAttemptAt ?? 0) - h.clock.now().getTime()
    expect(change).toMatchObject({ attempts: attempt + 1, lastError: 'No connection.' })
    delays.push(delayMs)
    h.clock.advance(delayMs - 1)
    expect(await dueChanges(h.runtime, mail.account.id)).toEqual([])
    h.clock.advance(1)
    expect(await dueChanges(h.runtime, mail.account.id)).toHaveLength(1)
  }
  expect(delays.slice(0, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((s) => s * 1_000))
  expect(new Set(delays.slice(9))).toEqual(new Set([300_000]))
})

test('only what is named, of this account', async () => {
  await using mail = await mailToChange()
  const { h } = mail
  const home = await h.make.account()
  const foreign = await h.make.message(await h.make.inbox(home.id))
  const second = await h.make.message(mail.inbox)
  for (const id of [mail.message.id, second.id, foreign.id])
    await mail.ask('PATCH', `/api/v1/messages/${id}`, { read: true })
  const [first, ...others] = await mail.queue()
  const attempts = async () => (await mail.queue()).map((change) => change.attempts)
  const lease = await mail.lease()
  const ids = [first, others.at(-1)].flatMap((change) => change?.id ?? [])

  await postponeChanges(h.runtime, lease, { ids, reason: 'Later.' })
  expect(await attempts()).toEqual([1, 0, 0])
})

test('nobody postpones for an account that another holds', async () => {
  await using mail = await mailToChange()
  await mail.ask('PATCH', mail.path, { read: true })
  const lease = await mail.lease()
  await releaseLease(mail.h.runtime, lease)
  const before = await mail.queue()
  const ids = before.map(({ id }) => id)
  await expect(postponeChanges(mail.h.runtime, lease, { ids, reason: 'x' })).rejects.toThrow(
    'another',
  )
  expect(await mail.queue()).toEqual(before)
})
