import { expect, test } from 'vitest'
import { postponeChanges } from '../../../domain/mailbox-changes/postpone.ts'
import { dueAccounts } from '../../../domain/sync/due-accounts.ts'
import { releaseLease } from '../../../domain/sync/lease.ts'
import { mailToChange } from '../../support/mail-to-change.ts'

test('accounts with due changes are those that this sidecar holds', async () => {
  await using mail = await mailToChange()
  const { h } = mail
  const accounts = async (sidecarId: string) => dueAccounts(h.runtime, sidecarId)
  const lease = await mail.lease()
  expect(await accounts('here')).toEqual([])
  await mail.ask('PATCH', mail.path, { read: true })
  expect(await accounts('here')).toEqual([lease])
  expect(await accounts('there')).toEqual([])

  await postponeChanges(h.runtime, lease, {
    ids: (await mail.queue()).map(({ id }) => id),
    reason: 'Later.',
  })
  expect(await accounts('here')).toEqual([])
  h.clock.advance(1_000)
  expect(await accounts('here')).toEqual([lease])
  await releaseLease(h.runtime, lease)
  expect(await accounts('here')).toEqual([])
})
