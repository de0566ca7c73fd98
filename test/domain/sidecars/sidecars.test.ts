import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { sidecars } from '../../../db/schema/sidecars.ts'
import { listLiveSidecars } from '../../../domain/sidecars/list-live.ts'
import { registerSidecar } from '../../../domain/sidecars/register.ts'
import { unregisterSidecar } from '../../../domain/sidecars/unregister.ts'
import { acquireLease } from '../../../domain/sync/lease.ts'
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
  return { store, age, make: factories(store, memorySourceStore()) }
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
