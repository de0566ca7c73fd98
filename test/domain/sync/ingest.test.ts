import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changes } from '../../../db/schema/changes.ts'
import { contents } from '../../../db/schema/contents.ts'
import { folders } from '../../../db/schema/folders.ts'
import { messages } from '../../../db/schema/messages.ts'
import { searchIndex } from '../../../db/search-index.ts'
import type { SelectedMailbox } from '../../../runtime/ports/mail-server.ts'
import { beginFolderSync, getFolder } from '../../../domain/sync/folder-state.ts'
import { ingest } from '../../../domain/sync/ingest.ts'
import { acquireLease, LeaseLost, releaseLease } from '../../../domain/sync/lease.ts'
import { removeMessages } from '../../../domain/sync/remove-messages.ts'
import { syncPorts } from '../../support/account-sync.ts'
import { arrival, leasedInbox } from '../../support/arrivals.ts'
import { temporaryStore } from '../../support/database.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'

let database: Awaited<ReturnType<typeof temporaryStore>>
beforeEach(async () => {
  database = await temporaryStore()
})
afterEach(() => database.remove())

const allMessages = () => database.store.read.select().from(messages).orderBy(messages.id)

test('what arrives is listed, counted, indexed and in the change feed', async () => {
  const { store } = database
  const { lease, folder } = await leasedInbox(store)
  await ingest(syncPorts(store), lease, {
    folder,
    arrivals: [arrival({ uid: 1 }), arrival({ uid: 2, flags: ['\\Seen'] })],
  })

  expect(await allMessages()).toMatchObject([
    { uid: 1, uidValidity: '1', read: false, inInbox: true },
    { uid: 2, read: true },
  ])
  expect(await getFolder({ store }, folder.id)).toMatchObject({ total: 2, unread: 1 })
  expect(await store.read.select({ rowid: searchIndex.rowid }).from(searchIndex)).toHaveLength(2)
  const feed = await store.read.select().from(changes).where(eq(changes.kind, 'message'))
  expect(feed.map(({ deleted }) => deleted)).toEqual([false, false])
})

test('what is known already is passed over, so a sync that was cut off can run again', async () => {
  const { store } = database
  const { lease, folder } = await leasedInbox(store)
  const first = [arrival({ uid: 1 }), arrival({ uid: 2 })]
  await ingest(syncPorts(store), lease, { folder, arrivals: first })
  const before = await allMessages()
  await ingest(syncPorts(store), lease, { folder, arrivals: [...first, arrival({ uid: 3 })] })
  expect((await allMessages()).slice(0, 2)).toEqual(before)
  expect(await allMessages()).toHaveLength(3)
})

test('messages with the same source share their content', async () => {
  const { store } = database
  const { lease, folder } = await leasedInbox(store)
  const copies = [1, 2, 3].map((uid) => arrival({ uid, source: 'the same', dateMs: 0 }))
  await ingest(syncPorts(store), lease, { folder, arrivals: copies.slice(0, 2) })
  await ingest(syncPorts(store), lease, { folder, arrivals: copies.slice(2) })
  expect(await store.read.select({ id: contents.id }).from(contents)).toHaveLength(1)
  expect(await allMessages()).toHaveLength(3)
})

test('contents of one second get rowids of their own', async () => {
  const { store } = database
  const { lease, folder } = await leasedInbox(store)
  const sameHash = (uid: number) => ({
    ...arrival({ uid, dateMs: 5_000 }),
    sourceHash: `abcd${uid}`,
  })
  await ingest(syncPorts(store), lease, { folder, arrivals: [sameHash(1), sameHash(2)] })
  await ingest(syncPorts(store), lease, { folder, arrivals: [sameHash(3)] })
  const ids = (
    await store.read.select({ id: contents.id }).from(contents).orderBy(contents.id)
  ).map(({ id }) => id)
  expect(ids).toEqual([ids[0], (ids[0] ?? 0) + 1, (ids[0] ?? 0) + 2])
})

test('after a UIDVALIDITY change messages keep their ids, and what the server changed shows', async () => {
  const { store } = database
  const { lease, folder } = await leasedInbox(store)
  await ingest(syncPorts(store), lease, {
    folder,
    arrivals: [1, 2, 3].map((uid) => arrival({ uid })),
  })
  const before = await allMessages()
  const row = await getFolder({ store }, folder.id)
  const selected: SelectedMailbox = { uidValidity: 2n, uidNext: 100, exists: 2, readOnly: false }
  await beginFolderSync(syncPorts(store), lease, { folder: row, selected })
  expect((await allMessages()).map(({ uid }) => uid)).toEqual([null, null, null])

  const rebuilt = { ...folder, uidValidity: 2n }
  const again = [
    arrival({ uid: 51, source: 'source 3' }),
    arrival({ uid: 50, source: 'source 1', flags: ['\\Seen'] }),
  ]
  await ingest(syncPorts(store), lease, { folder: rebuilt, arrivals: again })
  expect(await allMessages()).toMatchObject([
    { id: before[0]?.id, uid: 50, uidValidity: '2', read: true },
    { id: before[1]?.id, uid: null },
    { id: before[2]?.id, uid: 51, uidValidity: '2', read: false },
  ])
})

test('removing the last message of a content removes its index entry and its source', async () => {
  const { store } = database
  const { lease, folder } = await leasedInbox(store)
  const copies = [1, 2].map((uid) => arrival({ uid, source: 'the same', dateMs: 0 }))
  await ingest(syncPorts(store), lease, { folder, arrivals: [...copies, arrival({ uid: 3 })] })
  const [first, second] = await allMessages()
  const deleted: string[] = []
  const sourceStore = {
    ...memorySourceStore(),
    delete: async (hash: string) => void deleted.push(hash),
  }
  const remove = ({ id, uid }: { id: number; uid: number | null } = { id: 0, uid: null }) =>
    removeMessages(syncPorts(store, { sourceStore }), lease, {
      folderId: folder.id,
      gone: [{ id, uid }],
      isTold: true,
    })
  await remove(first)
  expect(deleted).toEqual([])
  await remove(second)
  expect(deleted).toEqual([copies[0]?.sourceHash])
  expect(await store.read.select({ rowid: searchIndex.rowid }).from(searchIndex)).toHaveLength(1)
  expect(await store.read.select({ total: folders.total }).from(folders)).toEqual([{ total: 1 }])
})

test('a process that lost its lease writes nothing', async () => {
  const { store } = database
  const { lease, folder } = await leasedInbox(store)
  await releaseLease({ store }, lease)
  expect(await acquireLease({ store }, lease.accountId, 'another')).toMatchObject({
    epoch: lease.epoch + 1,
  })
  await expect(
    ingest(syncPorts(store), lease, { folder, arrivals: [arrival({ uid: 1 })] }),
  ).rejects.toThrow(LeaseLost)
  expect(await allMessages()).toEqual([])
})

test('a lease that is held is not given to another sidecar', async () => {
  const { store } = database
  const { lease } = await leasedInbox(store)
  expect(await acquireLease({ store }, lease.accountId, 'another')).toBeUndefined()
})
