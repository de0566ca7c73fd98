import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Address } from '../../../../db/schema/contents.ts'
import { correspondents, correspondentWords } from '../../../../db/schema/correspondents.ts'
import { folders } from '../../../../db/schema/folders.ts'
import { messages } from '../../../../db/schema/messages.ts'
import { rebuildNextOfIndex, requestIndexRebuild } from '../../../../domain/search/rebuild-index.ts'
import { pruneCorrespondents } from '../../../../domain/search/suggestions/prune-correspondents.ts'
import { noteNextCorrespondents } from '../../../../domain/search/suggestions/note-next.ts'
import { suggest } from '../../../../domain/search/suggestions/suggest.ts'
import { ingest } from '../../../../domain/sync/ingest.ts'
import { removeOrphanedContents } from '../../../../domain/sync/orphaned-contents.ts'
import { indexedHeader } from '../../../../domain/search/indexed-texts.ts'
import { syncPorts } from '../../../support/account-sync.ts'
import { arrival, leasedInbox } from '../../../support/arrivals.ts'
import { temporaryStore } from '../../../support/database.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const DAY_MS = 86_400_000
const OWNER = 'ada@example.org'
const clock = fakeClock()

let database: Awaited<ReturnType<typeof temporaryStore>>
let inbox: Awaited<ReturnType<typeof leasedInbox>>
beforeEach(async () => {
  database = await temporaryStore()
  inbox = await leasedInbox(database.store, OWNER)
})
afterEach(() => database.remove())

interface Mail {
  readonly from: readonly Address[]
  readonly to?: readonly Address[]
  readonly cc?: readonly Address[]
  readonly daysAgo?: number
  readonly flags?: readonly string[]
}

let uid = 0
const address = (email: string, name?: string): Address => ({
  address: email,
  ...(name !== undefined && { name }),
})

/** Takes mail into a folder as a sync does. */
async function receive(mails: readonly Mail[], folder: Partial<(typeof inbox)['folder']> = {}) {
  const arrivals = mails.map(
    ({ from, to = [address(OWNER)], cc = [], daysAgo = 1, flags = [] }) => {
      uid += 1
      const dateMs = clock.now().getTime() - daysAgo * DAY_MS
      const mail = arrival({ uid, dateMs, flags })
      const fields = { ...mail.digest, from, to, cc }
      const indexText = { ...mail.digest.indexText, ...indexedHeader(fields) }
      return { ...mail, digest: { ...fields, indexText } }
    },
  )
  const { store } = database
  const given = { folder: { ...inbox.folder, ...folder }, arrivals }
  await ingest(syncPorts(store, { clock }), inbox.lease, given)
  await noteAll()
}

async function noteAll() {
  while ((await noteNextCorrespondents({ store: database.store, clock })) > 0);
}

const suggested = (prefix: string, limit = 10) => suggest(database, { prefix, limit })
const senders = async (prefix: string) =>
  (await suggested(prefix)).senders.map(({ address: email }) => email)
const recipients = async (prefix: string) =>
  (await suggested(prefix)).recipients.map(({ address: email }) => email)

describe('an address is found', () => {
  beforeEach(() =>
    receive([
      { from: [address('Grace.Hopper@Navy.example', 'Grace Brewster Hopper')] },
      { from: [address('jose@correo.example', 'José Müller-Núñez')] },
      { from: [address('tokyo@mail.example', '東京太郎')] },
      { from: [address('noname@plain.example')] },
    ]),
  )

  test.each([
    ['g', 'Grace.Hopper@Navy.example'],
    ['HOPP', 'Grace.Hopper@Navy.example'],
    ['hopper gr', 'Grace.Hopper@Navy.example'],
    ['grace.hop', 'Grace.Hopper@Navy.example'],
    ['grace.hopper@navy.example', 'Grace.Hopper@Navy.example'],
    ['navy', 'Grace.Hopper@Navy.example'],
    ['jose', 'jose@correo.example'],
    ['nunez', 'jose@correo.example'],
    ['MÜLL', 'jose@correo.example'],
    ['ｊｏｓｅ', 'jose@correo.example'],
    ['東', 'tokyo@mail.example'],
    ['京太', 'tokyo@mail.example'],
    ['plain', 'noname@plain.example'],
  ])('by %j', async (prefix, found) => {
    expect(await senders(prefix)).toEqual([found])
    expect(await recipients(prefix)).toEqual([found])
  })

  test.each(['race', 'grace x', 'hopperx', 'zz', '@', '"', '😀', '* OR', '\0'])(
    'not by %j',
    async (prefix) => {
      expect(await suggested(prefix)).toMatchObject({ senders: [], recipients: [] })
    },
  )

  test.each(['g'.repeat(1_000_000), 'a '.repeat(500_000), `g%_' OR 1=1 --`, 'NEAR(g h)'])(
    'whatever is typed, nothing fails',
    async (prefix) => {
      expect((await suggested(prefix)).senders.length).toBeLessThanOrEqual(1)
    },
  )
})

test('the newest name is shown, and found by; a name that is only the address is none', async () => {
  const email = 'grace@navy.example'
  await receive([{ from: [address(email, 'Grace Murray')], daysAgo: 9 }])
  await receive([{ from: [address('GRACE@navy.example', 'Grace Hopper')], daysAgo: 5 }])
  await receive([
    { from: [address(email, 'Grace Older')], daysAgo: 7 },
    { from: [address(email, email)] },
  ])
  expect((await suggested('grace')).senders).toEqual([{ name: 'Grace Hopper', address: email }])
  expect(await senders('murray')).toEqual([])
  expect(await senders('hopper')).toEqual([email])
})

test('those come first that are used more, and of late', async () => {
  const mails = (email: string, count: number, daysAgo: number) =>
    Array.from({ length: count }, () => ({ from: [address(email, 'Grace')], daysAgo }))
  await receive([
    ...mails('often-long-ago@x.example', 5, 720),
    ...mails('once-now@x.example', 1, 1),
    ...mails('often-now@x.example', 3, 2),
  ])
  expect(await senders('grace')).toEqual([
    'often-now@x.example',
    'once-now@x.example',
    'often-long-ago@x.example',
  ])
  expect((await suggested('grace', 2)).senders).toHaveLength(2)
  expect(await senders('')).toEqual(await senders('grace'))
})

test('what is dated ahead does not come first for years', async () => {
  await receive([
    { from: [address('ahead@x.example')], daysAgo: -3_000 },
    { from: [address('now@x.example')] },
    { from: [address('now@x.example')] },
  ])
  expect(await senders('x')).toEqual(['now@x.example', 'ahead@x.example'])
})

test('who was written to comes before who wrote, and the owner is nobody to suggest', async () => {
  const { store } = database
  const own = [address(OWNER, 'Ada')]
  await receive([
    { from: [address('wrote@x.example')] },
    { from: [address('wrote@x.example')], cc: [address('beside@x.example'), ...own] },
    { from: own, to: [address('written@x.example')] },
  ])
  const { accountId } = inbox.lease
  const [sent] = await store.commit((write) => [
    write
      .insert(folders)
      .values({ accountId, path: 'Sent', delimiter: '/', specialUse: 'sent' })
      .returning({ id: folders.id }),
  ])
  const alias = [address('alias@ada.example')]
  await receive([{ from: alias, to: [address('by-alias@x.example')], daysAgo: 2 }], {
    id: sent[0]?.id ?? 0,
    isInbox: false,
    isSent: true,
  })
  expect(await recipients('x')).toEqual([
    'written@x.example',
    'by-alias@x.example',
    'wrote@x.example',
    'beside@x.example',
  ])
  expect(await senders('')).toEqual(['wrote@x.example'])
})

test.each(['spam', 'trash', 'drafts'] as const)(
  'nobody is suggested because of %s',
  async (use) => {
    const { store } = database
    await store.transaction((tx) => tx.update(folders).set({ specialUse: use }))
    await receive([{ from: [address('somebody@x.example')] }])
    expect(await store.read.select().from(correspondents)).toEqual([])
  },
)

test('a message that is fetched again, or in two folders, counts once', async () => {
  const { store } = database
  await receive([{ from: [address('twice@x.example')] }])
  const [before] = await store.read.select().from(correspondents)
  const { lease, folder } = inbox
  const same = { ...arrival({ uid, source: `source ${uid}` }) }
  await ingest(syncPorts(store, { clock }), lease, {
    folder,
    arrivals: [{ ...same, fetched: { ...same.fetched, uid: 9_999 } }],
  })
  expect(await store.read.select().from(messages)).toHaveLength(2)
  expect(await store.read.select().from(correspondents)).toEqual([before])
})

describe('an address of which no mail is left', () => {
  const removeOldest = async () => {
    const { store } = database
    const found = await store.read.select().from(messages)
    const [row] = found.toSorted((a, b) => a.id - b.id)
    if (!row) throw new Error('There is no mail.')
    await store.transaction(async (tx) => {
      await tx.delete(messages).where(eq(messages.id, row.id))
      await removeOrphanedContents(tx, [row.contentId])
    })
  }
  beforeEach(async () => {
    await receive([{ from: [address('gone@x.example', 'Gone')] }])
    await receive([{ from: [address('here@x.example', 'Here')] }])
    await removeOldest()
  })

  test('is not suggested', async () => {
    expect(await senders('x')).toEqual(['here@x.example'])
    expect(await recipients('gone')).toEqual([])
  })

  test('is forgotten by housekeeping, with its words', async () => {
    const { store } = database
    await pruneCorrespondents(database, new AbortController().signal)
    const left = await store.read.select().from(correspondents)
    expect(left.map(({ address: email }) => email)).toEqual(['here@x.example'])
    const words = await store.read.select().from(correspondentWords)
    expect(words.map(({ word }) => word).toSorted()).toEqual(['example', 'here', 'x'])
  })
})

test('a rebuild of the index counts them anew, as they were', async () => {
  const { store } = database
  await receive([
    { from: [address('a@x.example', 'First')] },
    { from: [address('b@x.example')], cc: [address('c@x.example')], daysAgo: 200 },
  ])
  const read = () =>
    store.read
      .select({
        key: correspondents.key,
        name: correspondents.name,
        sender: correspondents.senderScore,
      })
      .from(correspondents)
      .orderBy(correspondents.key)
  const before = await read()
  expect(before).toHaveLength(3)
  await requestIndexRebuild(database)
  while ((await rebuildNextOfIndex(database)) > 0);
  await noteAll()
  const after = await read()
  expect(after.map(({ key, name }) => [key, name])).toEqual(
    before.map(({ key, name }) => [key, name]),
  )
  for (const [index, { sender }] of after.entries())
    expect(sender / (before[index]?.sender || 1)).toBeCloseTo(sender === 0 ? 0 : 1, 5)
  expect(await senders('first')).toEqual(['a@x.example'])
})
