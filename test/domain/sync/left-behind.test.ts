import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { leftBehind } from '../../../db/schema/left-behind.ts'
import { messages } from '../../../db/schema/messages.ts'
import { queueMailboxChanges } from '../../../domain/mailbox-changes/queue.ts'
import { settleExpunge } from '../../../domain/mailbox-changes/settle.ts'
import { countKnown } from '../../../domain/sync/folder-state.ts'
import { ingest } from '../../../domain/sync/ingest.ts'
import {
  countLeftBehind,
  leftBehindUids,
  noteGone,
  pruneLeftBehind,
} from '../../../domain/sync/left-behind.ts'
import { syncPorts } from '../../support/account-sync.ts'
import { arrival, leasedInbox } from '../../support/arrivals.ts'
import { temporaryStore } from '../../support/database.ts'
import { fakeClock } from '../../support/fake-clock.ts'

let database: Awaited<ReturnType<typeof temporaryStore>>
beforeEach(async () => {
  database = await temporaryStore()
})
afterEach(() => database.remove())

/** An inbox in which originals with these UIDs were left behind. */
async function inboxWithout(uids: readonly number[]) {
  const { store } = database
  const { lease, folder } = await leasedInbox(store)
  await store.transaction((tx) =>
    tx.insert(leftBehind).values(uids.map((uid) => ({ folderId: folder.id, uid }))),
  )
  return { store, clock: fakeClock(), lease, folder }
}

test('an original that was fetched before it was expunged is not stored after that', async () => {
  const { store, clock, lease, folder } = await inboxWithout([4])
  const fetched = [arrival({ uid: 4 }), arrival({ uid: 5 })]
  const original = { folderId: folder.id, uid: 4, uidValidity: '1' }
  await store.transaction((tx) =>
    queueMailboxChanges(tx, 0, [{ accountId: lease.accountId, kind: 'expunge', change: original }]),
  )
  await settleExpunge({ store, clock }, lease, { changes: [{ id: 1, original }], isGone: true })
  await ingest(syncPorts(store), lease, { folder, arrivals: fetched })
  expect(await store.read.select({ uid: messages.uid }).from(messages)).toEqual([{ uid: 5 }])
})

test('what is gone is not counted as one that the mailbox has', async () => {
  const { store, clock, lease, folder } = await inboxWithout([4, 5, 6])
  await ingest(syncPorts(store), lease, { folder, arrivals: [arrival({ uid: 7 })] })
  expect(await countKnown({ store }, folder.id)).toBe(4)
  await noteGone({ store, clock }, lease, { folderId: folder.id, isGone: (uid) => uid < 6 })
  expect(await countKnown({ store }, folder.id)).toBe(2)
  expect(await countLeftBehind(store.read, folder.id)).toBe(1)
})

describe('housekeeping', () => {
  test('forgets what is gone for an hour, and nothing that is still there', async () => {
    const { store, clock, lease, folder } = await inboxWithout([4, 5])
    await noteGone({ store, clock }, lease, { folderId: folder.id, isGone: (uid) => uid === 4 })
    clock.advance(60 * 60_000)
    await pruneLeftBehind({ store, clock })
    expect(await leftBehindUids(store.read, folder.id)).toEqual(new Set([4, 5]))
    clock.advance(1)
    await pruneLeftBehind({ store, clock })
    expect(await leftBehindUids(store.read, folder.id)).toEqual(new Set([5]))
  })

  test('is not put off by seeing again that one is gone', async () => {
    const { store, clock, lease, folder } = await inboxWithout([4])
    const gone = { folderId: folder.id, isGone: () => true }
    await noteGone({ store, clock }, lease, gone)
    clock.advance(60 * 60_000)
    await noteGone({ store, clock }, lease, gone)
    clock.advance(1)
    await pruneLeftBehind({ store, clock })
    expect(await leftBehindUids(store.read, folder.id)).toEqual(new Set())
  })
})
