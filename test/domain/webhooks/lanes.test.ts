import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { webhookLanes } from '../../../db/schema/webhooks.ts'
import { unregisterSidecar } from '../../../domain/sidecars/unregister.ts'
import { beginAttempts } from '../../../domain/webhooks/begin-attempts.ts'
import { acquireLanes, releaseLanes, renewLanes } from '../../../domain/webhooks/lanes.ts'
import { harness } from '../../support/harness.ts'
import { webhookRows } from '../../support/webhooks.ts'

async function setUp() {
  const h = await harness()
  onTestFinished(h.close)
  const ctx = h.runtime
  const rows = webhookRows(ctx)
  const { id } = await rows.create()
  /** As if the clock of the database had been turned by so much, forwards when positive. */
  const turnClock = (ms: number) =>
    ctx.store.commit((write) => [
      write.update(webhookLanes).set({ expiresAt: sql`${webhookLanes.expiresAt} - ${ms}` }),
    ])
  return { ctx, rows, id, turnClock }
}

test('a lane is one sidecar at a time', async () => {
  const { ctx, id } = await setUp()
  expect(await acquireLanes(ctx, 'a', [id])).toEqual([{ webhookId: id, epoch: 1 }])
  expect(await acquireLanes(ctx, 'b', [id])).toEqual([])
  expect(await renewLanes(ctx, 'b')).toEqual([])
  expect(await renewLanes(ctx, 'a')).toEqual([{ webhookId: id, epoch: 1 }])
})

test.each([
  ['has expired', ({ turnClock }: Awaited<ReturnType<typeof setUp>>) => turnClock(30_000)],
  ['is from before the clock was turned back', ({ turnClock }) => turnClock(-60_000)],
  ['was given back', ({ ctx, id }) => releaseLanes(ctx, 'a', [id])],
  ['was that of a sidecar that ended', ({ ctx }) => unregisterSidecar(ctx, 'a')],
])('one that %s goes to another, under a new epoch', async (_what, end) => {
  const given = await setUp()
  const { ctx, id } = given
  await acquireLanes(ctx, 'a', [id])
  await end(given)
  expect(await acquireLanes(ctx, 'b', [id])).toEqual([{ webhookId: id, epoch: 2 }])
  expect(await renewLanes(ctx, 'a')).toEqual([])
})

test('one that expired begins nothing more', async () => {
  const { ctx, rows, id, turnClock } = await setUp()
  const ids = await rows.queue(id)
  await acquireLanes(ctx, 'a', [id])
  expect(await beginAttempts(ctx, 'a', ids)).toMatchObject([{ webhookId: id, epoch: 1 }])
  expect(await beginAttempts(ctx, 'b', ids)).toEqual([])
  await turnClock(30_000)
  expect(await beginAttempts(ctx, 'a', ids)).toEqual([])
  expect(await renewLanes(ctx, 'a')).toEqual([])
})

test('that of an endpoint which is gone is not given', async () => {
  const { ctx, id } = await setUp()
  expect(await acquireLanes(ctx, 'a', [id, 99])).toEqual([{ webhookId: id, epoch: 1 }])
})
