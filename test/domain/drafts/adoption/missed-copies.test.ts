import { expect, test } from 'vitest'
import { drafts } from '../../../../db/schema/drafts.ts'
import { messages } from '../../../../db/schema/messages.ts'
import { followDeletions } from '../../../../domain/drafts/adoption/missed-copies.ts'
import { insertDraft } from '../../../../domain/drafts/insert.ts'
import { acquireLease } from '../../../../domain/sync/lease.ts'
import { harness } from '../../../support/harness.ts'

/** A draft that was published, with its copy in the Drafts folder. */
async function publishedDraft() {
  const h = await harness()
  const { store } = h.runtime
  const account = await h.make.account()
  const folder = await h.make.folder(account.id, { path: 'Drafts', specialUse: 'drafts' })
  const other = await h.make.folder(account.id, { path: 'Trash', specialUse: 'trash' })
  const lease = await acquireLease({ store }, account.id, 'sidecar')
  if (!lease) throw new Error('There is no lease.')
  const draft = { accountId: account.id, publishedRevision: 1, publishDueAt: null }
  const draftId = await store.durableTransaction((tx) => insertDraft(tx, draft, 0))
  await h.make.message(folder, { draftId, uid: 1 })
  const follow = async (afterMs: number) => {
    h.clock.advance(afterMs)
    await followDeletions(h.runtime, lease)
    return store.read.select().from(drafts)
  }
  const removeCopy = () => store.commit((write) => [write.delete(messages)])
  return { h, store, follow, removeCopy, folder, other, [Symbol.asyncDispose]: h.close }
}

test('a draft goes some time after its copy has gone, in which another may come', async () => {
  await using d = await publishedDraft()
  expect(await d.follow(60_000)).toHaveLength(1)
  await d.removeCopy()
  expect(await d.follow(0)).toMatchObject([{ copyMissedAt: expect.any(Number) }])
  await d.h.make.message(d.folder, { draftId: 1, uid: 2 })
  expect(await d.follow(60_000)).toMatchObject([{ copyMissedAt: null }])
  await d.removeCopy()
  expect(await d.follow(0)).toHaveLength(1)
  expect(await d.follow(9_000)).toHaveLength(1)
  expect(await d.follow(2_000)).toEqual([])
})

test('a copy that was moved to Trash is gone', async () => {
  await using d = await publishedDraft()
  await d.store.commit((write) => [write.update(messages).set({ folderId: d.other.id })])
  await d.follow(0)
  expect(await d.follow(11_000)).toEqual([])
  expect(await d.store.read.select().from(messages)).toMatchObject([{ draftId: null }])
})

test('what was written since it was published stays, to be published again', async () => {
  await using d = await publishedDraft()
  await d.store.commit((write) => [write.update(drafts).set({ revision: 2, publishDueAt: 0 })])
  await d.removeCopy()
  await d.follow(0)
  expect(await d.follow(60_000)).toMatchObject([{ revision: 2, publishDueAt: 0 }])
})
