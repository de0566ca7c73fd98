import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { folders } from '../../../db/schema/folders.ts'
import { leftBehind } from '../../../db/schema/left-behind.ts'
import { withSameUids } from '../../../domain/sync/begin-unopened.ts'
import { acquireLease } from '../../../domain/sync/lease.ts'
import type { Folder } from '../../../domain/sync/folder.ts'
import { harness } from '../../support/harness.ts'

const SELECTED = { uidValidity: 7n, uidNext: 40, exists: 3, highestModseq: 9n, readOnly: false }

async function setUp(row: Partial<Folder> = {}) {
  const h = await harness()
  onTestFinished(h.close)
  const { store } = h.runtime
  const account = await h.make.account()
  const folder = await h.make.folder(account.id, row)
  const lease = await acquireLease(h.runtime, account.id, 'here')
  if (!lease) throw new Error('Nobody else holds it.')
  const opened = () => withSameUids({ store }, lease, { folderId: folder.id, selected: SELECTED })
  const stored = async () =>
    (await store.read.select().from(folders).where(eq(folders.id, folder.id)))[0]
  return { h, store, folder, opened, stored }
}

test('the first sync of a folder that none has opened begins, from the newest down', async () => {
  const { opened, stored } = await setUp()
  const begun = { uidValidity: '7', uidNext: 40, highestModseq: '9', syncedDownToUid: 40 }
  expect(await opened()).toMatchObject({ ...begun, firstSyncedAt: null })
  expect(await stored()).toMatchObject(begun)
})

test('a sync that has come further goes on where it is', async () => {
  const state = { uidValidity: '7', uidNext: 30, syncedDownToUid: 12, highestModseq: '5' }
  const { opened, stored } = await setUp(state)
  expect(await opened()).toMatchObject(state)
  expect(await stored()).toMatchObject(state)
})

test('what has UIDs of another time is for the sync', async () => {
  const { opened, stored } = await setUp({ uidValidity: '6', uidNext: 30 })
  expect(await opened()).toBeUndefined()
  expect(await stored()).toMatchObject({ uidValidity: '6', uidNext: 30 })
})

test('so is what has lost its UIDVALIDITY and not yet its UIDs', async () => {
  const { h, folder, opened, stored } = await setUp()
  const message = await h.make.message(folder, { serverFolderId: folder.id, uid: 3 })
  expect(await opened()).toBeUndefined()
  expect(await stored()).toMatchObject({ uidValidity: null })
  expect(message.uid).toBe(3)

  const other = await setUp()
  await other.store.commit((write) => [
    write.insert(leftBehind).values({ folderId: other.folder.id, uid: 3 }),
  ])
  expect(await other.opened()).toBeUndefined()
})
