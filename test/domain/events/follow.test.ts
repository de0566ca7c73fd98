import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../../db/schema/events.ts'
import { followEvents } from '../../../domain/events/follow.ts'
import { memoryWake } from '../../../runtime/memory/wake.ts'
import { systemClock } from '../../../runtime/node/clock.ts'
import { temporaryStore } from '../../support/database.ts'

async function setUp() {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const wake = memoryWake()
  const ctx = { store, wake, clock: systemClock }
  const tell = async (...names: readonly string[]) => {
    await store.commit((write) => [
      write.insert(events).values(
        names.map((error) => ({
          kind: 'sync.error' as const,
          accountId: 1,
          data: { error },
          createdAt: 0,
        })),
      ),
    ])
  }
  return { ctx, tell, wake }
}

/** Reads so many events. */
async function read(
  ctx: Awaited<ReturnType<typeof setUp>>['ctx'],
  { after, count }: { after?: number; count: number },
) {
  const stopping = new AbortController()
  const names: unknown[] = []
  for await (const some of followEvents(ctx, { after, signal: stopping.signal })) {
    names.push(...some.map(({ data }) => data['error']))
    if (names.length >= count) stopping.abort()
  }
  return names
}

test('whoever returns with the last id gets all that came after it, however many', async () => {
  const { ctx, tell } = await setUp()
  await tell(...Array.from({ length: 450 }, (_, index) => String(index + 1)))
  expect(await read(ctx, { after: 0, count: 450 })).toHaveLength(450)
  expect(await read(ctx, { after: 447, count: 3 })).toEqual(['448', '449', '450'])
})

test('without an id it begins with what comes next', async () => {
  const { ctx, tell, wake } = await setUp()
  await tell('old')
  const reading = read(ctx, { count: 2 })
  await new Promise((resolve) => setTimeout(resolve, 20))
  await tell('one', 'two')
  wake.now('events')
  expect(await reading).toEqual(['one', 'two'])
})

test('whoever knows more than the page that others read is told nothing twice', async () => {
  const { ctx, tell, wake } = await setUp()
  await tell('1', '2')
  const reading = read(ctx, { after: 4, count: 1 })
  await new Promise((resolve) => setTimeout(resolve, 20))
  await tell('3', '4', '5')
  wake.now('events')
  expect(await reading).toEqual(['5'])
})

test('an event is told though its wake was lost', async () => {
  const { ctx, tell } = await setUp()
  const reading = read(ctx, { after: 0, count: 1 })
  await new Promise((resolve) => setTimeout(resolve, 20))
  await tell('quiet')
  expect(await reading).toEqual(['quiet'])
})

test('a slow reader misses nothing that is told meanwhile (peer: mimux, events lost during a slow drain)', async () => {
  const { ctx, tell, wake } = await setUp()
  const expected = Array.from({ length: 660 }, (_, index) => String(index + 1))
  const stopping = new AbortController()
  const names: unknown[] = []
  const telling = [...expected]
  const tellMore = async () => {
    // Of some the wake comes while the reader is busy with others, of some never.
    await tell(...telling.splice(0, 55))
    if (telling.length % 2 === 0) wake.now('events')
  }
  await tellMore()
  for await (const some of followEvents(ctx, { after: 0, signal: stopping.signal })) {
    for (const { data } of some) {
      names.push(data['error'])
      if (names.length % 20 === 0 && telling.length > 0) await tellMore()
    }
    if (names.length === expected.length) stopping.abort()
  }
  expect(names).toEqual(expected)
})

test('it ends when nobody follows any more', async () => {
  const { ctx } = await setUp()
  const stopping = new AbortController()
  const following = followEvents(ctx, { after: 0, signal: stopping.signal })
  const next = following.next()
  stopping.abort()
  expect(await next).toEqual({ done: true, value: undefined })
})
