import { expect, test } from 'vitest'
import { oauthGrants } from '../../../../db/schema/oauth-grants.ts'
import { findAccessToken } from '../../../../domain/accounts/oauth/access-token.ts'
import { replaceGrant } from '../../../../domain/accounts/oauth/replace-grant.ts'
import type { Store } from '../../../../runtime/ports/store.ts'
import { StorageError } from '../../../../runtime/ports/storage-error.ts'
import { authorised } from '../../../support/authorised-account.ts'

const MAILBOX = 'ada@example.com'

/** The store on a disk that refuses every write but the first `allowed`, until it is mended. */
function fullDisk(store: Store, allowed: number, refusals = Number.POSITIVE_INFINITY) {
  let writes = 0
  let isMended = false
  const commit: Store['commit'] = async (build) => {
    writes += 1
    if (!isMended && writes > allowed && writes <= allowed + refusals)
      throw new StorageError('The disk is full.')
    return store.commit(build)
  }
  return {
    store: { ...store, commit },
    mend: () => {
      isMended = true
    },
  }
}

// A refresh token of the lab is good once: the one in the store is worth nothing in all of these.

test('a disk that refuses for a moment costs nothing', async () => {
  const { ctx, id, provider } = await authorised(-1)
  const { store } = fullDisk(ctx.store, 1, 2)
  const token = await findAccessToken({ ...ctx, store }, id)
  expect(provider.isGoodToken(MAILBOX, token ?? '')).toBe(true)
  expect(await findAccessToken(ctx, id)).toBe(token)
})

test('tokens that could not be stored are kept, and stored before anything else', async () => {
  const { ctx, id, provider } = await authorised(-1)
  const { store, mend } = fullDisk(ctx.store, 1)
  const onDisk = { ...ctx, store }
  await expect(findAccessToken(onDisk, id)).rejects.toThrow('The disk is full.')
  await expect(findAccessToken(onDisk, id)).rejects.toThrow('The disk is full.')
  mend()
  const token = await findAccessToken(onDisk, id)
  expect(provider.isGoodToken(MAILBOX, token ?? '')).toBe(true)
  expect(provider.tokenRequests).toEqual(['refresh_token'])
  await ctx.store.commit((write) => [write.update(oauthGrants).set({ accessTokenExpiresAt: 1 })])
  const next = await findAccessToken(ctx, id)
  expect(next).not.toBe(token)
  expect(provider.isGoodToken(MAILBOX, next ?? '')).toBe(true)
})

test('tokens that were kept do not take the place of a new authorisation', async () => {
  const { ctx, id, newGrant } = await authorised(-1)
  const { store } = fullDisk(ctx.store, 1)
  await expect(findAccessToken({ ...ctx, store }, id)).rejects.toThrow('The disk is full.')
  const grant = newGrant(3_600)
  await replaceGrant(ctx, id, grant)
  expect(await findAccessToken(ctx, id)).toBe(grant.tokens.accessToken)
})
