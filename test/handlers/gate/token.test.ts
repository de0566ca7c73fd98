import { expect, test } from 'vitest'
import { listTokens } from '../../../domain/tokens/list.ts'
import { harness, type Harness } from '../../support/harness.ts'

const SELF = '/api/v1/tokens/self'
const lastUsed = async (h: Harness) => (await listTokens(h.runtime))[0]?.lastUsedAt

test('the last use is recorded at the first request, then at most once a minute', async () => {
  await using h = await harness()
  const start = h.clock.now()
  expect(await lastUsed(h)).toBeUndefined()
  await h.get(SELF)
  expect(await lastUsed(h)).toEqual(start)
  h.clock.advance(59_999)
  await h.get(SELF)
  expect(await lastUsed(h)).toEqual(start)
  h.clock.advance(1)
  await h.get(SELF)
  expect(await lastUsed(h)).toEqual(h.clock.now())
})

test('a use of the future, as a clock that was turned back leaves it, does not hide those of now', async () => {
  await using h = await harness()
  await h.get(SELF)
  h.clock.advance(-3_600_000)
  await h.get(SELF)
  expect(await lastUsed(h)).toEqual(h.clock.now())
})

test('a use that cannot be recorded is logged and fails nothing', async () => {
  await using h = await harness()
  const store = { ...h.runtime.store, transaction: () => Promise.reject(new Error('disk full')) }
  Object.assign(h.runtime, { store })
  expect((await h.get(SELF)).status).toBe(200)
  expect(h.logger.lines).toMatchObject([{ level: 'error', cause: { message: 'disk full' } }])
})

test('a refused token is not recorded as used', async () => {
  await using h = await harness()
  await h.get(SELF, { Authorization: `Bearer ${h.secret.slice(0, -1)}` })
  expect(await lastUsed(h)).toBeUndefined()
})
