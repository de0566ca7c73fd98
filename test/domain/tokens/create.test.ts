import { afterAll, expect, test } from 'vitest'
import { tokens } from '../../../db/schema/tokens.ts'
import { createToken } from '../../../domain/tokens/create.ts'
import { listTokens } from '../../../domain/tokens/list.ts'
import { revokeToken } from '../../../domain/tokens/revoke.ts'
import { cheapPasswordHasher } from '../../support/cheap-password-hasher.ts'
import { temporaryStore } from '../../support/database.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { wasmPasswordHasher } from '../../../runtime/node/password-hasher.ts'

const database = await temporaryStore()
afterAll(() => database.remove())
const ctx = { store: database.store, clock: fakeClock(), passwordHasher: cheapPasswordHasher() }

test('unknown scopes are dropped, and none at all means mail:read', async () => {
  const created = await createToken(ctx, { label: 'a', scopes: 'mail:send root mail:read' })
  expect(created.token.scopes).toEqual(['mail:read', 'mail:send'])
  expect((await createToken(ctx, { label: 'b', scopes: 'root' })).token.scopes).toEqual([
    'mail:read',
  ])
})

test('the store holds an argon2id hash and nothing of the secret', async () => {
  const { secret } = await createToken(
    { ...ctx, passwordHasher: wasmPasswordHasher },
    { label: 'hashed', scopes: '' },
  )
  const rows = await ctx.store.read.select().from(tokens)
  const stored = JSON.stringify(rows)
  expect(stored).toContain('$argon2id$')
  expect(stored).not.toContain(secret.slice(-43))
})

test.each([
  ['a blank label', { label: '  ', scopes: '' }],
  ['an overlong label', { label: 'x'.repeat(201), scopes: '' }],
  ['an expiry in the past', { label: 'x', scopes: '', expiresAt: new Date(0) }],
  ['an expiry that is no time', { label: 'x', scopes: '', expiresAt: new Date(Number.NaN) }],
])('%s is refused', async (_what, input) => {
  await expect(createToken(ctx, input)).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a revoked token stays in the list with the time it was revoked first', async () => {
  const { token } = await createToken(ctx, { label: 'gone', scopes: '' })
  const first = await revokeToken(ctx, { id: token.id })
  ctx.clock.advance(60_000)
  const second = await revokeToken(ctx, { id: token.id })
  expect(second.revokedAt).toEqual(first.revokedAt)
  expect((await listTokens(ctx)).at(-1)).toEqual(second)
})

test('revoking an unknown token is not_found', async () => {
  await expect(revokeToken(ctx, { id: 4711 })).rejects.toMatchObject({ code: 'not_found' })
})
