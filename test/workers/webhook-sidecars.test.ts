import { expect, test } from 'vitest'
import { StorageError } from '../../runtime/ports/storage-error.ts'
import { startDrain } from '../support/draining.ts'
import { eventually } from '../support/eventually.ts'
import { scriptedOutbound } from '../support/scripted-outbound.ts'
import { settled, watchedWebhooks } from '../support/watched-webhooks.ts'

test('an outcome is not lost while nothing can be written', async () => {
  const { runtime, rows, clock, becomes } = await watchedWebhooks()
  const { store } = runtime
  let isFull = true
  const fillable = {
    ...store,
    durableTransaction: ((work) =>
      isFull
        ? Promise.reject(new StorageError('The disk is full.'))
        : store.durableTransaction(work)) as typeof store.durableTransaction,
  }
  const outbound = scriptedOutbound(200)
  startDrain(runtime, outbound, { store: fillable })
  const { id } = await rows.create()
  const [delivery = 0] = await rows.queue(id)
  await settled()
  isFull = false
  clock.advance(1_000)
  await becomes(delivery, { status: 'ok' })
  expect(outbound.received).toHaveLength(1)
})

test('two sidecars send no attempt twice; the lane goes over when its holder ends', async () => {
  const { runtime, rows, clock } = await watchedWebhooks()
  const { id } = await rows.create()
  const here = scriptedOutbound(200)
  const there = scriptedOutbound(200)
  const first = startDrain(runtime, here)
  await rows.queue(id, 3)
  const allTaken = (count: number) =>
    eventually(async () => {
      clock.advance(25)
      const taken = (await rows.deliveries()).filter(({ status }) => status === 'ok')
      expect(taken).toHaveLength(count)
    })
  await allTaken(3)
  startDrain(runtime, there, { sidecarId: 'there' })
  await rows.queue(id, 3)
  await allTaken(6)
  expect([here.received.length, there.received.length]).toEqual([6, 0])
  await first.stop()
  await rows.queue(id, 3)
  await allTaken(9)
  expect([here.received.length, there.received.length]).toEqual([6, 3])
})

test('a sidecar that lost its lane writes nothing of what it was sending', async () => {
  const { runtime, rows, becomes, row } = await watchedWebhooks()
  const answer = Promise.withResolvers<number>()
  const { id } = await rows.create()
  const stalled = startDrain(
    runtime,
    scriptedOutbound(() => answer.promise),
  )
  const [delivery = 0] = await rows.queue(id)
  await settled()
  await rows.freeLanes()
  startDrain(runtime, scriptedOutbound(500), { sidecarId: 'there' })
  await becomes(delivery, { status: 'failed', attempts: 1, lastStatusCode: 500 })
  answer.resolve(200)
  await stalled.stop()
  expect(await row(delivery)).toMatchObject({ status: 'failed', attempts: 1, lastStatusCode: 500 })
})

test('whoever has not answered when the process ends is asked again by the next', async () => {
  const { runtime, rows, clock, becomes, row } = await watchedWebhooks()
  const never = {
    send: (_request: unknown, signal?: AbortSignal) =>
      new Promise<{ status: null; failure: 'timeout'; reason: string }>((resolve) =>
        signal?.addEventListener('abort', () =>
          resolve({ status: null, failure: 'timeout', reason: 'called off' }),
        ),
      ),
  }
  const { id } = await rows.create()
  const first = startDrain(runtime, never)
  const [delivery = 0] = await rows.queue(id)
  await settled()
  const stopped = first.stop()
  await settled()
  clock.advance(2_000)
  await stopped
  expect(await row(delivery)).toMatchObject({ status: 'pending', attempts: 0 })
  startDrain(runtime, scriptedOutbound(200), { sidecarId: 'next' })
  await becomes(delivery, { status: 'ok', attempts: 1 })
})
