import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accountLeases, sidecars } from '../../../db/schema/sidecars.ts'
import { listLiveSidecars } from '../../../domain/sidecars/list-live.ts'
import { registerSidecar } from '../../../domain/sidecars/register.ts'
import { unregisterSidecar } from '../../../domain/sidecars/unregister.ts'
import { acquireLease, LeaseLost, renewLeases, underLease } from '../../../domain/sync/lease.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'

async function context() {
  const database = await temporaryStore()
  onTestFinished(() => database.remove())
  const { store } = database
  const age = (id: string, ms: number) =>
    store.commit((write) => [
      write
        .update(sidecars)
        .set({ heartbeatAt: sql`${sidecars.heartbeatAt} - ${ms}` })
        .where(eq(sidecars.id, id)),
    ])
  /** As if the clock of the database had been turned by so much, forwards when positive. */
  const turnClock = (ms: number) =>
    store.commit((write) => [
      write.update(sidecars).set({ heartbeatAt: sql`${sidecars.heartbeatAt} - ${ms}` }),
      write.update(accountLeases).set({ expiresAt: sql`${accountLeases.expiresAt} - ${ms}` }),
    ])
  return { store, age, turnClock, make: factories(store, memorySourceStore()) }
}

test('a sidecar is found while its heart beats', async () => {
  const ctx = await context()
  await registerSidecar(ctx, { id: 'a', url: 'http://127.0.0.1:1' })
  await registerSidecar(ctx, { id: 'b', url: 'http://127.0.0.1:2' })
  await ctx.age('a', 20_000)
  expect(await listLiveSidecars(ctx)).toEqual(['http://127.0.0.1:2'])
  await registerSidecar(ctx, { id: 'a', url: 'http://127.0.0.1:3' })
  expect(await listLiveSidecars(ctx)).toEqual(['http://127.0.0.1:3', 'http://127.0.0.1:2'])
})

test('a sidecar that was silent for an hour is forgotten', async () => {
  const ctx = await context()
  await registerSidecar(ctx, { id: 'a', url: 'http://127.0.0.1:1' })
  await ctx.age('a', 3_700_000)
  await registerSidecar(ctx, { id: 'b', url: 'http://127.0.0.1:2' })
  expect(await ctx.store.read.select({ id: sidecars.id }).from(sidecars)).toEqual([{ id: 'b' }])
})

test('the accounts of a sidecar that ended are free at once, under a new epoch', async () => {
  const ctx = await context()
  const { id } = await ctx.make.account()
  await registerSidecar(ctx, { id: 'a', url: 'http://127.0.0.1:1' })
  const before = await acquireLease(ctx, id, 'a')
  expect(await acquireLease(ctx, id, 'b')).toBeUndefined()
  await unregisterSidecar(ctx, 'a')
  expect(await listLiveSidecars(ctx)).toEqual([])
  const after = await acquireLease(ctx, id, 'b')
  expect(after?.epoch).toBeGreaterThan(before?.epoch ?? 0)
})

const HOUR_MS = 3_600_000
const A_YEAR_MS = 365 * 24 * HOUR_MS

test.each([HOUR_MS, A_YEAR_MS])(
  'a clock turned back by %i ms: what is held stays held, and what a dead sidecar held is free',
  async (ms) => {
    const ctx = await context()
    const held = await ctx.make.account()
    const left = await ctx.make.account()
    const lease = await acquireLease(ctx, held.id, 'alive')
    await acquireLease(ctx, left.id, 'dead')
    await ctx.turnClock(-ms)
    expect(await renewLeases(ctx, 'alive')).toEqual([lease])
    expect(await acquireLease(ctx, held.id, 'other')).toBeUndefined()
    expect(await acquireLease(ctx, left.id, 'other')).toMatchObject({ epoch: 2 })
  },
)

test('a holder that was overtaken when the clock was turned back writes nothing more', async () => {
  const ctx = await context()
  const { id } = await ctx.make.account()
  const slow = await acquireLease(ctx, id, 'slow')
  await ctx.turnClock(-HOUR_MS)
  const other = await acquireLease(ctx, id, 'other')
  if (!slow || !other) throw new Error('There is no lease.')
  expect(await renewLeases(ctx, 'slow')).toEqual([])
  await expect(underLease(ctx, slow, async () => 'wrote')).rejects.toThrow(LeaseLost)
  expect(await underLease(ctx, other, async () => 'wrote')).toBe('wrote')
})

test('a clock turned forwards ends every lease: nobody writes until one has been taken anew', async () => {
  const ctx = await context()
  const { id } = await ctx.make.account()
  const before = await acquireLease(ctx, id, 'a')
  if (!before) throw new Error('There is no lease.')
  await ctx.turnClock(HOUR_MS)
  await expect(underLease(ctx, before, async () => 'wrote')).rejects.toThrow(LeaseLost)
  expect(await renewLeases(ctx, 'a')).toEqual([])
  expect(await acquireLease(ctx, id, 'b')).toMatchObject({ epoch: before.epoch + 1 })
  expect(await acquireLease(ctx, id, 'a')).toBeUndefined()
})

test('a sidecar whose heart beat in the future is not asked until it beats again', async () => {
  const ctx = await context()
  await registerSidecar(ctx, { id: 'a', url: 'http://127.0.0.1:1' })
  await ctx.turnClock(-HOUR_MS)
  expect(await listLiveSidecars(ctx)).toEqual([])
  await registerSidecar(ctx, { id: 'a', url: 'http://127.0.0.1:1' })
  expect(await listLiveSidecars(ctx)).toEqual(['http://127.0.0.1:1'])
})
