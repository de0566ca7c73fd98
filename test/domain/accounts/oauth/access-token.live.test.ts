import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { accounts } from '../../../../db/schema/accounts.ts'
import { oauthGrants } from '../../../../db/schema/oauth-grants.ts'
import { getAccountByName } from '../../../../domain/accounts/get-by-name.ts'
import { findAccessToken } from '../../../../domain/accounts/oauth/access-token.ts'
import { replaceGrant } from '../../../../domain/accounts/oauth/replace-grant.ts'
import { findGrant } from '../../../../domain/accounts/oauth/stored-grant.ts'
import { updateAccount } from '../../../../domain/accounts/update.ts'
import { openFileStore } from '../../../../runtime/node/file-store.ts'
import { authorised } from '../../../support/authorised-account.ts'

const MAILBOX = 'ada@example.com'

const settled = (promises: readonly Promise<unknown>[]) => Promise.allSettled(promises)

test('a token that is good for more than a minute is used as it is', async () => {
  const { ctx, id, firstToken, provider } = await authorised(70)
  expect(await findAccessToken(ctx, id)).toBe(firstToken)
  expect(provider.tokenRequests).toEqual([])
})

test('a token with less than a minute left is renewed once for five users at a time', async () => {
  const { ctx, id, firstToken, provider } = await authorised(50)
  provider.delayMs = 100
  const tokens = await Promise.all(Array.from({ length: 5 }, () => findAccessToken(ctx, id)))
  expect(new Set(tokens).size).toBe(1)
  expect(tokens[0]).not.toBe(firstToken)
  expect(provider.isGoodToken(MAILBOX, tokens[0] ?? '')).toBe(true)
  expect(provider.tokenRequests).toEqual(['refresh_token'])
  expect(await findAccessToken(ctx, id)).toBe(tokens[0])
})

test('users in two processes share a refresh too', async () => {
  const { ctx, id, provider, directory } = await authorised(-1)
  provider.delayMs = 100
  const other = openFileStore(`file:${directory}/svc.db`)
  // Two processes wait for each other's transactions; two stores of one thread could not within one turn of its loop.
  const ofOther = async () => {
    await setImmediate()
    return findAccessToken({ ...ctx, store: other }, id)
  }
  const ofThis = () => findAccessToken(ctx, id)
  const tokens = await Promise.all([ofThis(), ofOther(), ofThis(), ofOther()])
  await other.close()
  expect(new Set(tokens).size).toBe(1)
  expect(provider.tokenRequests).toHaveLength(1)
})

test('a refresh token that is good only once is replaced by the next, again and again', async () => {
  const { ctx, id, provider } = await authorised(-1)
  provider.expiresInS = 1
  for (let count = 1; count <= 3; count += 1) {
    const token = await findAccessToken(ctx, id)
    expect(provider.isGoodToken(MAILBOX, token ?? '')).toBe(true)
    expect(provider.tokenRequests).toHaveLength(count)
  }
})

test('a token that was refused is renewed, but not one that has been renewed since', async () => {
  const { ctx, id, firstToken, provider } = await authorised(3_600)
  const second = await findAccessToken(ctx, id, firstToken)
  expect(second).not.toBe(firstToken)
  expect(await findAccessToken(ctx, id, firstToken)).toBe(second)
  expect(provider.tokenRequests).toHaveLength(1)
})

test.each([
  [500, 'Internal error', 'it answered 500'],
  [503, '{"error":"temporarily_unavailable"}', 'it answered 503 (temporarily_unavailable)'],
  [401, '{"error":"invalid_client"}', 'invalid_client'],
  [200, '<html>Please sign in</html>', 'it answered with something else than tokens'],
])(
  'an endpoint that answers %i fails itself, once for all who ask',
  async (status, body, words) => {
    const { ctx, id, provider } = await authorised(-1)
    provider.scripted = { status, body }
    provider.delayMs = 100
    const outcomes = await settled(Array.from({ length: 5 }, () => findAccessToken(ctx, id)))
    expect(outcomes).toEqual(
      Array.from({ length: 5 }, () => ({
        status: 'rejected',
        reason: expect.objectContaining({
          kind: 'unreachable',
          retryable: true,
          message: `The token endpoint of Google failed: ${words}`,
        }),
      })),
    )
    expect(provider.tokenRequests).toHaveLength(1)
    provider.scripted = undefined
    expect(provider.isGoodToken(MAILBOX, (await findAccessToken(ctx, id)) ?? '')).toBe(true)
    expect((await findGrant(ctx, id))?.refreshFailure).toBeNull()
  },
)

test('an endpoint that is not there is unreachable', async () => {
  const { ctx, id, provider } = await authorised(-1)
  provider.stop()
  await expect(findAccessToken(ctx, id)).rejects.toMatchObject({
    kind: 'unreachable',
    retryable: true,
    message: expect.stringMatching(/^The token endpoint of Google failed: .*ECONNREFUSED/),
  })
})

test('a redirect of the endpoint is not followed', async () => {
  const { ctx, id, provider } = await authorised(-1)
  await ctx.store.commit((write) => [
    write.update(oauthGrants).set({ tokenUrl: `${provider.url}/elsewhere` }),
  ])
  await expect(findAccessToken(ctx, id)).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('redirect'),
  })
  expect(provider.tokenRequests).toEqual([])
})

test('a grant that was taken back asks its owner to authorise again, and shows no secret', async () => {
  const { ctx, id, provider, newGrant } = await authorised(-1)
  provider.revoke()
  const error = await findAccessToken(ctx, id).catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    kind: 'auth',
    retryable: false,
    message:
      'Google has ended the authorisation (invalid_grant: Token *** has been revoked.); authorise again: svc account authorise Ada',
  })
  await replaceGrant(ctx, id, newGrant(3_600))
  expect(provider.isGoodToken(MAILBOX, (await findAccessToken(ctx, id)) ?? '')).toBe(true)
})

test('secrets are sealed in the store', async () => {
  const { ctx, provider } = await authorised(3_600)
  const rows = JSON.stringify(await ctx.store.read.select().from(oauthGrants))
  expect(provider.secrets.length).toBeGreaterThan(0)
  for (const secret of [...provider.secrets, provider.client.secret])
    expect(rows).not.toContain(secret)
})

test('a password takes the place of a grant, and a grant goes with its account', async () => {
  const { ctx, id, newGrant } = await authorised(3_600)
  await updateAccount(ctx, { id, password: 'correct horse' })
  expect(await findAccessToken(ctx, id)).toBeUndefined()
  await replaceGrant(ctx, id, newGrant(3_600))
  expect(await findAccessToken(ctx, id)).toBeDefined()
  expect(await getAccountByName(ctx, 'Ada')).toMatchObject({ sealedPassword: '' })
  await ctx.store.commit((write) => [write.delete(accounts)])
  expect(await ctx.store.read.select().from(oauthGrants)).toEqual([])
})
