import { expect, test } from 'vitest'
import { oauthGrants } from '../../../../db/schema/oauth-grants.ts'
import { findAccessToken } from '../../../../domain/accounts/oauth/access-token.ts'
import { replaceGrant } from '../../../../domain/accounts/oauth/replace-grant.ts'
import {
  claimRefresh,
  findGrant,
  saveRefreshFailure,
} from '../../../../domain/accounts/oauth/stored-grant.ts'
import { authorised } from '../../../support/authorised-account.ts'

const MAILBOX = 'ada@example.com'

type Ctx = Awaited<ReturnType<typeof authorised>>['ctx']

async function grantOf(ctx: Ctx, accountId: number) {
  const grant = await findGrant(ctx, accountId)
  if (!grant) throw new Error('There is no grant.')
  return grant
}

const claimUntil = (ctx: Ctx, refreshClaimedUntil: number) =>
  ctx.store.commit((write) => [write.update(oauthGrants).set({ refreshClaimedUntil })])

test('a new authorisation is not written over by a refresh of the old one', async () => {
  const { ctx, id, provider, newGrant } = await authorised(-1)
  provider.delayMs = 200
  const running = findAccessToken(ctx, id)
  await expect.poll(() => provider.tokenRequests.length).toBe(1)
  const grant = newGrant(3_600)
  await replaceGrant(ctx, id, grant)
  expect(await running).toBe(grant.tokens.accessToken)
  expect(await findAccessToken(ctx, id)).toBe(grant.tokens.accessToken)
  expect(provider.tokenRequests).toHaveLength(1)
})

test('a refresh whose process died is taken over when its claim has ended', async () => {
  const { ctx, id, provider } = await authorised(-1)
  const grant = await grantOf(ctx, id)
  expect(await claimRefresh(ctx, grant)).toBeDefined()
  expect(await claimRefresh(ctx, grant)).toBeUndefined()
  const waiting = findAccessToken(ctx, id)
  await ctx.clock.sleep(150)
  expect(provider.tokenRequests).toEqual([])
  await claimUntil(ctx, 1)
  expect(provider.isGoodToken(MAILBOX, (await waiting) ?? '')).toBe(true)
})

test('how an earlier refresh failed is not how one ended whose process died', async () => {
  const { ctx, id, provider } = await authorised(-1)
  provider.scripted = { status: 500, body: 'no' }
  await expect(findAccessToken(ctx, id)).rejects.toMatchObject({ kind: 'unreachable' })
  provider.scripted = undefined
  expect(await claimRefresh(ctx, await grantOf(ctx, id))).toBeDefined()
  const waiting = findAccessToken(ctx, id)
  await ctx.clock.sleep(150)
  await claimUntil(ctx, 1)
  expect(provider.isGoodToken(MAILBOX, (await waiting) ?? '')).toBe(true)
})

test('the refusal of an old grant says nothing about the one that has taken its place', async () => {
  const { ctx, id, provider, newGrant } = await authorised(-1)
  provider.delayMs = 200
  provider.scripted = { status: 400, body: '{"error":"invalid_grant"}' }
  const running = findAccessToken(ctx, id)
  await expect.poll(() => provider.tokenRequests.length).toBe(1)
  const grant = newGrant(3_600)
  await replaceGrant(ctx, id, grant)
  expect(await running).toBe(grant.tokens.accessToken)
  expect(await grantOf(ctx, id)).toMatchObject({ refreshFailure: null })
})

test('a refresh that comes to nothing after its claim leaves the next one to whoever has it', async () => {
  const { ctx, id } = await authorised(-1)
  const grant = await grantOf(ctx, id)
  const late = await claimRefresh(ctx, grant)
  await ctx.clock.sleep(10)
  await claimUntil(ctx, 1)
  const next = await claimRefresh(ctx, grant)
  if (!late || !next) throw new Error('There is no claim.')
  const failure = { kind: 'unreachable', message: 'Late.' } as const
  expect(await saveRefreshFailure(ctx, late, failure)).toBe(false)
  expect(await grantOf(ctx, id)).toMatchObject({ isRefreshing: true, refreshFailure: null })
  expect(await saveRefreshFailure(ctx, next, failure)).toBe(true)
  expect(await grantOf(ctx, id)).toMatchObject({ isRefreshing: false, refreshFailure: failure })
})

test('a claim from before the clock was turned back is free', async () => {
  const { ctx, id, provider } = await authorised(-1)
  await claimUntil(ctx, Date.now() + 3_600_000)
  expect(await grantOf(ctx, id)).toMatchObject({ isRefreshing: false })
  expect(provider.isGoodToken(MAILBOX, (await findAccessToken(ctx, id)) ?? '')).toBe(true)
})
