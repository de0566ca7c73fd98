import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../../db/schema/accounts.ts'
import { contents } from '../../../db/schema/contents.ts'
import { messages } from '../../../db/schema/messages.ts'
import { keepSource } from '../../../domain/messages/keep-source.ts'
import { StorageError } from '../../../runtime/ports/storage-error.ts'
import { searchRowid } from '../../../domain/search/search-rowid.ts'
import { dropOldSources } from '../../../domain/sources/drop-old.ts'
import { missingSources } from '../../../domain/sources/missing.ts'
import { storeContents } from '../../../domain/sync/store-contents.ts'
import { digestMessage } from '../../../domain/mime/digest-message.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const sourceOf = (name: string) => `Subject: ${name}\r\nMessage-ID: <${name}@x>\r\n\r\n${name}\r\n`
const bytesOf = (name: string) => new TextEncoder().encode(sourceOf(name))

async function context() {
  const database = await temporaryStore()
  onTestFinished(() => database.remove())
  const { store } = database
  const sourceStore = memorySourceStore()
  const clock = fakeClock()
  const ctx = { store, sourceStore, clock }
  const make = factories(store, sourceStore)

  const inbox = async (sourceDays: number | null) =>
    make.inbox((await make.account({ sourceDays })).id)

  /** A message so many days old, and a name for it. */
  const message = async (
    folder: Awaited<ReturnType<typeof inbox>>,
    { days, name }: { days: number; name: string },
  ) => {
    const date = clock.now().getTime() - days * DAY_MS
    const hash = await sourceStore.put(bytesOf(name))
    const id = searchRowid(date, hash)
    return make.message(folder, { date, source: sourceOf(name), content: { id } })
  }

  /** The same content in another place. */
  const copy = async (
    { contentId }: { contentId: number },
    folder: Awaited<ReturnType<typeof inbox>>,
    days: number,
  ) => {
    const other = await message(folder, { days, name: `copy ${days}` })
    await store.transaction(async (tx) => {
      await tx.update(messages).set({ contentId }).where(eq(messages.id, other.id))
      await tx.delete(contents).where(eq(contents.id, other.contentId))
    })
  }

  const kept = async (name: string) => {
    const hash = await memorySourceStore().put(bytesOf(name))
    const [row] = await store.read.select().from(contents).where(eq(contents.sourceHash, hash))
    expect(row?.sourceKept).toBe((await sourceStore.get(hash)) !== undefined)
    return row?.sourceKept
  }
  const setDays = (days: number | null) =>
    store.transaction((tx) => tx.update(accounts).set({ sourceDays: days }))
  const drop = () => dropOldSources(ctx, new AbortController().signal)
  return { ...ctx, inbox, message, copy, kept, setDays, drop }
}

test('sources older than the limit go, younger ones stay, and only once', async () => {
  const ctx = await context()
  const inbox = await ctx.inbox(30)
  await ctx.message(inbox, { days: 31, name: 'old' })
  await ctx.message(inbox, { days: 29, name: 'young' })
  expect(await ctx.drop()).toBe(1)
  expect(await ctx.kept('old')).toBe(false)
  expect(await ctx.kept('young')).toBe(true)
  expect(await ctx.drop()).toBe(0)
})

test('a source grows too old with time', async () => {
  const ctx = await context()
  await ctx.message(await ctx.inbox(30), { days: 29, name: 'young' })
  expect(await ctx.drop()).toBe(0)
  ctx.clock.advance(2 * DAY_MS)
  expect(await ctx.drop()).toBe(1)
})

test('without a limit nothing goes', async () => {
  const ctx = await context()
  await ctx.message(await ctx.inbox(null), { days: 5_000, name: 'old' })
  expect(await ctx.drop()).toBe(0)
  expect(await ctx.kept('old')).toBe(true)
})

test('a source stays as long as a younger message shares it', async () => {
  const ctx = await context()
  const inbox = await ctx.inbox(30)
  const old = await ctx.message(inbox, { days: 31, name: 'shared' })
  await ctx.copy(old, inbox, 10)
  expect(await ctx.drop()).toBe(0)
  ctx.clock.advance(21 * DAY_MS)
  await ctx.drop()
  expect(await ctx.kept('shared')).toBe(false)
})

test.each([
  ['a longer limit', 60],
  ['no limit', null],
])('a source stays as long as an account with %s shares it', async (_, days) => {
  const ctx = await context()
  const old = await ctx.message(await ctx.inbox(30), { days: 31, name: 'shared' })
  await ctx.copy(old, await ctx.inbox(days), 31)
  expect(await ctx.drop()).toBe(0)
  expect(await ctx.kept('shared')).toBe(true)
})

test('more than a page is dropped, and all of it is missed when the limit is raised', async () => {
  const ctx = await context()
  const inbox = await ctx.inbox(30)
  for (let n = 0; n < 510; n += 1) await ctx.message(inbox, { days: 31 + n, name: `old ${n}` })
  expect(await ctx.drop()).toBe(510)
  await ctx.setDays(535)
  const first = await missingSources(ctx)
  const second = await missingSources(ctx, first.below)
  expect(first.hashes).toHaveLength(500)
  expect(second.hashes).toHaveLength(5)
  expect(await missingSources(ctx, second.below)).toEqual({ hashes: [] })
  const newest = await memorySourceStore().put(bytesOf('old 0'))
  expect(first.hashes[0]).toBe(newest)
})

test('a signal ends it between two steps', async () => {
  const ctx = await context()
  await ctx.message(await ctx.inbox(30), { days: 31, name: 'old' })
  expect(await dropOldSources(ctx, AbortSignal.abort())).toBe(0)
  expect(await ctx.kept('old')).toBe(true)
})

test('nothing is missed that is too old for everybody', async () => {
  const ctx = await context()
  await ctx.message(await ctx.inbox(30), { days: 31, name: 'old' })
  await ctx.drop()
  expect((await missingSources(ctx)).hashes).toEqual([])
})

test('what was fetched again for somebody who reads it goes with the next look', async () => {
  const ctx = await context()
  const { contentId } = await ctx.message(await ctx.inbox(30), { days: 31, name: 'old' })
  await ctx.drop()
  const [row] = await ctx.store.read.select().from(contents).where(eq(contents.id, contentId))
  const sourceHash = row?.sourceHash ?? ''
  expect(await keepSource(ctx, { sourceHash, source: bytesOf('other') })).toBe(false)
  expect(await ctx.kept('old')).toBe(false)
  expect(await keepSource(ctx, { sourceHash, source: bytesOf('old') })).toBe(true)
  expect(await ctx.kept('old')).toBe(true)
  expect(await ctx.drop()).toBe(1)
})

test('bytes that are others than once leave no file behind', async () => {
  const ctx = await context()
  const put: string[] = []
  const sourceStore = {
    ...ctx.sourceStore,
    put: async (source: Uint8Array) => {
      const hash = await ctx.sourceStore.put(source)
      put.push(hash)
      return hash
    },
  }
  const others = { sourceHash: 'a'.repeat(64), source: bytesOf('other') }
  expect(await keepSource({ ...ctx, sourceStore }, others)).toBe(false)
  // Nor do the right ones of a message that has gone meanwhile.
  const gone = { ...others, sourceHash: await memorySourceStore().put(others.source) }
  expect(await keepSource({ ...ctx, sourceStore }, gone)).toBe(true)
  for (const hash of put) expect(await ctx.sourceStore.get(hash)).toBeUndefined()
})

test.each(['wanted', 'wanted and kept'])(
  'a source that is %s again while it is dropped is known to be missing',
  async (again) => {
    const ctx = await context()
    const message = await ctx.message(await ctx.inbox(30), { days: 31, name: 'old' })
    const keeping = await ctx.inbox(null)
    const sourceStore = {
      ...ctx.sourceStore,
      delete: async (hash: string) => {
        await ctx.copy(message, keeping, 31)
        if (again !== 'wanted')
          await ctx.store.transaction((tx) => tx.update(contents).set({ sourceKept: true }))
        await ctx.sourceStore.delete(hash)
      },
    }
    await dropOldSources({ ...ctx, sourceStore }, new AbortController().signal)
    const [content] = await ctx.store.read.select().from(contents)
    expect(content?.sourceKept).toBe(false)
    expect((await missingSources(ctx)).hashes).toEqual([content?.sourceHash])
  },
)

test('what was fetched again is read though a full disk cannot keep it', async () => {
  const ctx = await context()
  await ctx.message(await ctx.inbox(30), { days: 31, name: 'old' })
  await ctx.drop()
  const [row] = await ctx.store.read.select().from(contents)
  const sourceHash = row?.sourceHash ?? ''
  const put = () => Promise.reject(new StorageError('The disk is full.'))
  const full = { store: ctx.store, sourceStore: { ...ctx.sourceStore, put } }
  expect(await keepSource(full, { sourceHash, source: bytesOf('other') })).toBe(false)
  expect(await keepSource(full, { sourceHash, source: bytesOf('old') })).toBe(true)
  expect(await ctx.kept('old')).toBe(false)
})

test('a source that comes in again with another message is kept again', async () => {
  const ctx = await context()
  await ctx.message(await ctx.inbox(30), { days: 31, name: 'old' })
  await ctx.drop()
  const source = bytesOf('old')
  const sourceHash = await ctx.sourceStore.put(source)
  const digest = await digestMessage(source)
  const again = { sourceHash, size: source.length, dateMs: 0, digest }
  const store = (...kept: boolean[]) =>
    ctx.store.transaction((tx) =>
      storeContents(
        tx,
        kept.map((sourceKept) => ({ ...again, sourceKept })),
      ),
    )
  const said = async () => (await ctx.store.read.select().from(contents))[0]?.sourceKept
  await store(false)
  expect(await said()).toBe(false)
  await store(true, false)
  expect(await said()).toBe(true)
  await store(false)
  expect(await ctx.kept('old')).toBe(true)
})
