import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../../db/schema/events.ts'
import { pruneEvents } from '../../../domain/events/prune.ts'
import { temporaryStore } from '../../support/database.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const DAY_MS = 24 * 60 * 60_000

test('events of more than a week ago are forgotten, all of them and no others', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const clock = fakeClock()
  const now = clock.now().getTime()
  const row = (createdAt: number) =>
    ({ kind: 'sync.error', accountId: 1, data: { error: 'no' }, createdAt }) as const
  const old = Array.from({ length: 1_200 }, (_, index) => row(now - 8 * DAY_MS - index))
  await store.transaction((tx) =>
    tx.insert(events).values([...old, row(now - 6 * DAY_MS), row(now)]),
  )
  await pruneEvents({ store, clock })
  const kept = await store.read.select({ createdAt: events.createdAt }).from(events)
  expect(kept.map(({ createdAt }) => now - createdAt)).toEqual([6 * DAY_MS, 0])
})

test('the newest stays however old it is: its id says how far events have come', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const row = { kind: 'sync.error', accountId: 1, data: {}, createdAt: 0 } as const
  await store.transaction((tx) => tx.insert(events).values([row, row, row]))
  await pruneEvents({ store, clock: fakeClock() })
  expect(await store.read.select({ id: events.id }).from(events)).toEqual([{ id: 3 }])
})
