import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { tokens } from '../../../db/schema/tokens.ts'
import { authenticate } from '../../../domain/tokens/authenticate.ts'
import { createToken } from '../../../domain/tokens/create.ts'
import { revokeToken } from '../../../domain/tokens/revoke.ts'
import { verifiedSecrets, type VerifiedSecrets } from '../../../domain/tokens/verified-secrets.ts'
import { cheapPasswordHasher } from '../../support/cheap-password-hasher.ts'
import { temporaryStore } from '../../support/database.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const database = await temporaryStore()
afterAll(() => database.remove())

const ctx = {
  store: database.store,
  clock: fakeClock(),
  passwordHasher: cheapPasswordHasher(),
}
let verified: VerifiedSecrets
beforeEach(() => {
  verified = verifiedSecrets(10)
  ctx.passwordHasher.verifications = 0
})

const create = (expiresAt?: Date) =>
  createToken(ctx, { label: 'x', scopes: '', ...(expiresAt ? { expiresAt } : {}) })
const enter = (secret: string) => authenticate(ctx, secret, verified)
const unauthorized = { code: 'unauthorized' }

test('a valid token is its caller', async () => {
  const { secret, token } = await create()
  expect(await enter(secret)).toEqual({
    tokenId: token.id,
    label: 'x',
    scopes: ['mail:read'],
    lastUsedAt: null,
  })
})

test('a secret is verified once and then remembered', async () => {
  const { secret } = await create()
  await enter(secret)
  await enter(secret)
  expect(ctx.passwordHasher.verifications).toBe(1)
})

test('first uses at the same time share one verification', async () => {
  const { secret } = await create()
  await Promise.all([enter(secret), enter(secret), enter(secret)])
  expect(ctx.passwordHasher.verifications).toBe(1)
})

test('an unknown selector and a malformed token cost no verification', async () => {
  await expect(enter(`svc_pat_${'a'.repeat(16)}_${'b'.repeat(43)}`)).rejects.toMatchObject(
    unauthorized,
  )
  await expect(enter('svc_pat_nonsense')).rejects.toMatchObject(unauthorized)
  expect(ctx.passwordHasher.verifications).toBe(0)
})

test('a wrong secret is refused, each time after one verification', async () => {
  const { secret } = await create()
  const wrong = secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a')
  await expect(enter(wrong)).rejects.toMatchObject(unauthorized)
  await expect(enter(wrong)).rejects.toMatchObject(unauthorized)
  expect(ctx.passwordHasher.verifications).toBe(2)
})

test('a revoked token is refused at the next request, though its secret is remembered', async () => {
  const { secret, token } = await create()
  await enter(secret)
  await revokeToken(ctx, { id: token.id })
  await expect(enter(secret)).rejects.toMatchObject(unauthorized)
})

test('a token is refused from the instant it expires', async () => {
  const { secret } = await create(new Date(ctx.clock.now().getTime() + 1_000))
  await enter(secret)
  ctx.clock.advance(999)
  await enter(secret)
  ctx.clock.advance(1)
  await expect(enter(secret)).rejects.toMatchObject(unauthorized)
})

test('what is remembered is bound to the stored hash', async () => {
  const { secret, token } = await create()
  await enter(secret)
  await ctx.store.commit((write) => [
    write.update(tokens).set({ secretHash: 'cheap:other' }).where(eq(tokens.id, token.id)),
  ])
  await expect(enter(secret)).rejects.toMatchObject(unauthorized)
})

test('only so many secrets are remembered, the latest used ones', async () => {
  verified = verifiedSecrets(2)
  const [a, b, c] = await Promise.all([create(), create(), create()])
  for (const { secret } of [a, b, a, c, a]) await enter(secret)
  expect(ctx.passwordHasher.verifications).toBe(3)
  await enter(b.secret)
  expect(ctx.passwordHasher.verifications).toBe(4)
})
