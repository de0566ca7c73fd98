import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { contents } from '../../../db/schema/contents.ts'
import { sweepSources } from '../../../domain/sources/sweep.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'

const HOUR_MS = 60 * 60_000
const bytes = (text: string) => new TextEncoder().encode(text)

async function setUp() {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const sourceStore = memorySourceStore()
  const make = factories(store, sourceStore)
  const inbox = await make.inbox((await make.account()).id)
  const named = await make.message(inbox, { source: 'Subject: named\r\n\r\n' })
  const dropped = await make.message(inbox, { source: 'Subject: dropped\r\n\r\n' })
  await store.transaction((tx) =>
    tx.update(contents).set({ sourceKept: false }).where(eq(contents.id, dropped.contentId)),
  )
  const hashes = {
    named: await hashOf(store, named.contentId),
    dropped: await hashOf(store, dropped.contentId),
    unnamed: await sourceStore.put(bytes('unnamed')),
  }
  const left = async () => {
    const found = Object.entries(hashes).map(async ([name, hash]) =>
      (await sourceStore.get(hash)) ? [name] : [],
    )
    return (await Promise.all(found)).flat()
  }
  const sweep = (inMs: number, signal = new AbortController().signal) => {
    const clock = { now: () => new Date(Date.now() + inMs), sleep: async () => {} }
    return sweepSources({ store, sourceStore, clock }, signal)
  }
  return { left, sweep }
}

type Store = Awaited<ReturnType<typeof temporaryStore>>['store']

async function hashOf(store: Store, contentId: number): Promise<string> {
  const [row] = await store.read.select().from(contents).where(eq(contents.id, contentId))
  return row?.sourceHash ?? ''
}

test('a source that no content keeps goes, but not before it could have been named', async () => {
  const { left, sweep } = await setUp()
  expect(await sweep(HOUR_MS - 60_000)).toBe(0)
  expect(await left()).toEqual(['named', 'dropped', 'unnamed'])
  expect(await sweep(HOUR_MS + 60_000)).toBe(2)
  expect(await left()).toEqual(['named'])
})

test('a sweep leaves when its process is to end', async () => {
  const { left, sweep } = await setUp()
  expect(await sweep(2 * HOUR_MS, AbortSignal.abort())).toBe(1)
  expect(await left()).toHaveLength(2)
})
