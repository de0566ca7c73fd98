import { expect, test } from 'vitest'
import { oauthGrants } from '../../../../db/schema/oauth-grants.ts'
import { listAccountSettings } from '../../../../domain/accounts/list-settings.ts'
import { addAccountByGrant } from '../../../../domain/accounts/oauth/add-account.ts'
import { authorised } from '../../../support/authorised-account.ts'

const server = { host: 'mail.example.com' }
const named = (name: string) => ({ email: 'ada@example.com', name, imap: server, smtp: server })
const TAKEN = { code: 'invalid_request', message: expect.stringContaining('already an account') }

test('a name that is taken gets no grant', async () => {
  const { ctx, newGrant } = await authorised(3_600)
  await expect(addAccountByGrant(ctx, named('ADA'), newGrant(3_600))).rejects.toMatchObject(TAKEN)
  expect(await ctx.store.read.select().from(oauthGrants)).toHaveLength(1)
})

test('of two that want a name at once, one gets it, with its own grant', async () => {
  const { ctx, newGrant } = await authorised(3_600)
  const added = await Promise.allSettled(
    ['Work', 'work'].map((name) => addAccountByGrant(ctx, named(name), newGrant(3_600))),
  )
  expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(added.find(({ status }) => status === 'rejected')).toMatchObject({ reason: TAKEN })
  const listed = await listAccountSettings(ctx)
  expect(listed.map(({ id, oauth }) => ({ id, oauth }))).toEqual([
    { id: 1, oauth: 'google' },
    { id: 2, oauth: 'google' },
  ])
  expect(added.find(({ status }) => status === 'fulfilled')).toMatchObject({ value: { id: 2 } })
})
