import { eq, max } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changes } from '../../db/schema/changes.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { ingest } from '../../domain/sync/ingest.ts'
import { syncPorts } from '../support/account-sync.ts'
import { arrival, leasedInbox } from '../support/arrivals.ts'
import { temporaryStore } from '../support/database.ts'

let database: Awaited<ReturnType<typeof temporaryStore>>
beforeAll(async () => {
  database = await temporaryStore()
})
afterAll(() => database.remove())

const step = fc.record({
  kind: fc.constantFrom('arrive', 'read', 'unread', 'move', 'delete'),
  pick: fc.nat(),
})

test('whatever happens to messages, the counters of their folders are right', async () => {
  const { store } = database
  const { lease, folder } = await leasedInbox(store)
  const [added] = await store.commit((write) => [
    write
      .insert(folders)
      .values({ accountId: lease.accountId, path: 'Other' })
      .returning({ id: folders.id }),
  ])
  const folderIds = [folder.id, added[0]?.id ?? 0]
  let uid = 0

  const take = async ({ kind, pick }: { kind: string; pick: number }) => {
    const rows = await store.read.select({ id: messages.id }).from(messages)
    const id = rows[pick % Math.max(1, rows.length)]?.id ?? 0
    const folderId = folderIds[pick % 2] ?? 0
    uid += 1
    if (kind === 'arrive') {
      await ingest(syncPorts(store), lease, {
        folder,
        arrivals: [arrival({ uid, flags: pick % 2 ? [] : ['\\Seen'] })],
      })
    } else if (kind === 'delete') {
      await store.commit((write) => [write.delete(messages).where(eq(messages.id, id))])
    } else {
      const set = kind === 'move' ? { folderId } : { read: kind === 'read' }
      await store.commit((write) => [write.update(messages).set(set).where(eq(messages.id, id))])
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const one of steps) await take(one)
      for (const { id, total, unread } of await store.read.select().from(folders)) {
        const held = await store.read
          .select({ read: messages.read })
          .from(messages)
          .where(eq(messages.folderId, id))
        expect({ total, unread }).toEqual({
          total: held.length,
          unread: held.filter(({ read }) => !read).length,
        })
      }
    }),
    { numRuns: 20 },
  )
})

test('a change gives its entity a new, higher seq and one row; a deletion stays as such', async () => {
  const { store } = database
  const { lease, folder } = await leasedInbox(store, 'feed@example.org')
  await ingest(syncPorts(store), lease, { folder, arrivals: [arrival({ uid: 1, source: 'fed' })] })
  const rows = await store.read.select().from(messages).where(eq(messages.folderId, folder.id))
  const id = rows[0]?.id ?? 0
  const feedOf = () => store.read.select().from(changes).where(eq(changes.entityId, id))
  const newest = async () =>
    (await store.read.select({ seq: max(changes.seq) }).from(changes))[0]?.seq ?? 0

  let before = await newest()
  await store.commit((write) => [
    write.update(messages).set({ starred: true }).where(eq(messages.id, id)),
  ])
  const changed = (await feedOf()).filter(({ kind }) => kind === 'message')
  expect(changed).toEqual([
    { seq: expect.any(Number), kind: 'message', entityId: id, deleted: false },
  ])
  expect(changed[0]?.seq).toBeGreaterThan(before)

  before = await newest()
  await store.commit((write) => [
    write.update(messages).set({ modseq: '99' }).where(eq(messages.id, id)),
  ])
  expect(await newest(), 'what is not shown is no change').toBe(before)

  await store.commit((write) => [write.delete(messages).where(eq(messages.id, id))])
  const deleted = (await feedOf()).filter(({ kind }) => kind === 'message')
  expect(deleted).toMatchObject([{ deleted: true }])
  expect(deleted[0]?.seq).toBeGreaterThan(before)
})
