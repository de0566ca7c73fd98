import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { keepSource } from '../../domain/messages/keep-source.ts'
import { searchRowid } from '../../domain/search/search-rowid.ts'
import type { SourceRefetch } from '../../workers/source-refetch.ts'
import { retainSources } from '../../workers/source-retention.ts'
import { temporaryStore } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { memorySourceStore } from '../support/memory-source-store.ts'
import { recordingLogger } from '../support/recording-logger.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const AGES = [400, 90, 31, 5]

const sourceOf = (days: number) => `Subject: ${days}\r\n\r\n${days} days.\r\n`
const bytesOf = (days: number) => new TextEncoder().encode(sourceOf(days))
const hashOf = (days: number) => memorySourceStore().put(bytesOf(days))

/** Messages of these ages, and a server that has them all and may be away. */
async function setUp(sourceDays: number | null) {
  const { store, remove } = await temporaryStore()
  const sourceStore = memorySourceStore()
  const [clock, logger] = [fakeClock(), recordingLogger()]
  const make = factories(store, sourceStore)
  const inbox = await make.inbox((await make.account({ sourceDays })).id)
  for (const days of AGES) {
    const date = clock.now().getTime() - days * DAY_MS
    const id = searchRowid(date, await hashOf(days))
    await make.message(inbox, { date, source: sourceOf(days), content: { id } })
  }
  const server = { isAway: false, lacks: undefined as number | undefined, asked: [] as number[] }
  const byHash = new Map<string, number>()
  for (const days of AGES) byHash.set(await hashOf(days), days)
  const restore: SourceRefetch['restore'] = async (sourceHash) => {
    const days = byHash.get(sourceHash) ?? 0
    server.asked.push(days)
    if (server.isAway) return 'away'
    const source = bytesOf(days)
    if (days === server.lacks) return 'gone'
    return (await keepSource({ store, sourceStore }, { sourceHash, source })) ? { source } : 'gone'
  }
  const ctx = { store, sourceStore, clock, logger }
  const stopping = new AbortController()
  const ended = retainSources(ctx, { restore }, stopping.signal)
  onTestFinished(async () => {
    stopping.abort()
    await ended
    await remove()
  })
  const kept = async () => {
    const ages = await Promise.all(
      AGES.map(async (days) => ((await sourceStore.get(await hashOf(days))) ? [days] : [])),
    )
    return ages.flat()
  }
  return { ...ctx, make, server, kept }
}

/** Turns the clock on until what is expected has come. */
async function comes(
  { clock }: { clock: ReturnType<typeof fakeClock> },
  check: () => Promise<void>,
): Promise<void> {
  await expect
    .poll(
      async () => {
        clock.advance(1_000)
        return check().then(
          () => true,
          () => false,
        )
      },
      { interval: 2, timeout: 5_000 },
    )
    .toBe(true)
}

const setDays = ({ store }: { store: Awaited<ReturnType<typeof setUp>>['store'] }, days: number) =>
  store.transaction((tx) => tx.update(accounts).set({ sourceDays: days }).where(eq(accounts.id, 1)))

test('what is too old goes at the start, and a raised limit brings it back, newest first', async () => {
  const ctx = await setUp(30)
  await comes(ctx, async () => expect(await ctx.kept()).toEqual([5]))
  await setDays(ctx, 100)
  await comes(ctx, async () => expect(await ctx.kept()).toEqual([90, 31, 5]))
  expect(ctx.server.asked).toEqual([31, 90])
})

test('a server that is away is asked again later, not at once', async () => {
  const ctx = await setUp(30)
  await comes(ctx, async () => expect(await ctx.kept()).toEqual([5]))
  ctx.server.isAway = true
  await setDays(ctx, 1_000)
  await comes(ctx, async () => expect(ctx.server.asked).toHaveLength(3))
  ctx.server.isAway = false
  ctx.clock.advance(25 * 60_000)
  await comes(ctx, async () => expect(await ctx.kept()).toEqual(AGES))
  const rows = await ctx.store.read.select({ kept: contents.sourceKept }).from(contents)
  expect(rows).toEqual(AGES.map(() => ({ kept: true })))
})

test('a server that is away keeps no old source of another account', async () => {
  const ctx = await setUp(1_000)
  await comes(ctx, async () => expect(await ctx.kept()).toEqual(AGES))
  await ctx.store.transaction((tx) => tx.update(contents).set({ sourceKept: false }))
  ctx.server.isAway = true
  const inbox = await ctx.make.inbox((await ctx.make.account({ sourceDays: 1 })).id)
  const date = ctx.clock.now().getTime() - DAY_MS / 2
  const source = 'Subject: half a day\r\n\r\n'
  const id = searchRowid(date, await memorySourceStore().put(new TextEncoder().encode(source)))
  await ctx.make.message(inbox, { date, source, content: { id } })
  await comes(ctx, async () => expect(ctx.server.asked.length).toBeGreaterThan(0))
  ctx.clock.advance(DAY_MS)
  await comes(ctx, async () => {
    const [row] = await ctx.store.read.select().from(contents).where(eq(contents.id, id))
    expect(row?.sourceKept).toBe(false)
  })
})

test('a source that no server has is asked for three times, and again when a limit changes', async () => {
  const ctx = await setUp(30)
  await comes(ctx, async () => expect(await ctx.kept()).toEqual([5]))
  ctx.server.lacks = 90
  await setDays(ctx, 100)
  const asked = () => ctx.server.asked.filter((days) => days === 90).length
  for (const times of [1, 2, 3]) {
    await comes(ctx, async () => expect(asked()).toBe(times))
    ctx.clock.advance(DAY_MS)
  }
  for (let look = 0; look < 10; look += 1) {
    ctx.clock.advance(DAY_MS)
    await ctx.store.read.select().from(accounts)
  }
  expect(asked()).toBe(3)
  await setDays(ctx, 120)
  await comes(ctx, async () => expect(asked()).toBe(4))
})
