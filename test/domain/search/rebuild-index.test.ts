import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { seededRandom } from '../../../cli/commands/local/demo/random.ts'
import { contents } from '../../../db/schema/contents.ts'
import { messages } from '../../../db/schema/messages.ts'
import { searchIndex } from '../../../db/search-index.ts'
import { beginMerge } from '../../../domain/search/merge-index.ts'
import { parseQuery } from '../../../domain/search/parse-query.ts'
import {
  contentsToIndex,
  rebuildNextOfIndex,
  requestIndexRebuild,
} from '../../../domain/search/rebuild-index.ts'
import { searchLocal } from '../../../domain/search/search-local.ts'
import { removeOrphanedContents } from '../../../domain/sync/orphaned-contents.ts'
import { harness, type Harness } from '../../support/harness.ts'
import { isAskedFor } from '../../support/naive-search.ts'
import { storeMail, type StoredMail } from '../../support/search-mailbox.ts'
import { searchableSource } from '../../support/searchable-source.ts'

let h: Harness
beforeEach(async () => {
  h = await harness()
})
afterEach(() => h.close())

const QUERIES = ['alpha', '東京', '"alpha beta"', 'from:ada', 'has:attachment', 'has:link', '-beta']

async function mailbox(count: number, seed = 1) {
  const { store } = h.runtime
  const random = seededRandom(seed)
  const account = await h.make.account()
  const places = [await h.make.inbox(account.id), await h.make.folder(account.id)]
  const { id: threadId } = await h.make.thread(account.id)
  const add = (number: number) =>
    storeMail(store, {
      source: searchableSource(random, number),
      folder: random.pick(places),
      threadId,
      dateMs: Date.UTC(2024, 0, 1) + random.integer(0, 1e6) * 1_000,
    })
  const mails: StoredMail[] = []
  for (let number = 0; number < count; number += 1) mails.push(await add(number))
  return { mails, places, random, add }
}

const found = async (query: string) => {
  const { items } = await searchLocal(h.runtime, { query, limit: 500 })
  return items.map(({ id }) => id)
}

async function expectRight(mails: readonly StoredMail[]): Promise<void> {
  const names = { accountNames: () => [], survivingThread: (id: number) => id }
  const sorted = mails.toSorted((a, b) => b.contentId - a.contentId || b.id - a.id)
  for (const query of QUERIES) {
    const { expression } = parseQuery(query, 0)
    if (!expression) throw new Error('Nothing is asked for.')
    const expected = sorted.filter((mail) => isAskedFor(expression, mail, names))
    expect(await found(query), query).toEqual(expected.map(({ id }) => id))
  }
}

const toEnd = async () => {
  while ((await rebuildNextOfIndex(h.runtime)) > 0);
}

test('an index that was lost is built anew, newest first, from wherever it stopped', async () => {
  const { mails } = await mailbox(70)
  await expectRight(mails)
  await h.runtime.store.transaction(async (tx) => void (await tx.delete(searchIndex)))
  expect(await found('alpha')).toEqual([])

  await requestIndexRebuild(h.runtime)
  expect(await contentsToIndex(h.runtime)).toBe(70)
  const first = await rebuildNextOfIndex(h.runtime)
  const newest = mails.toSorted((a, b) => b.contentId - a.contentId).slice(0, first)
  expect(await contentsToIndex(h.runtime)).toBe(70 - first)
  await expectRight(newest)

  await requestIndexRebuild(h.runtime)
  expect(await contentsToIndex(h.runtime)).toBe(70 - first)
  await toEnd()
  expect(await contentsToIndex(h.runtime)).toBe(0)
  await expectRight(mails)
})

test('several at once, while mail comes and goes', async () => {
  const { mails, add } = await mailbox(60)
  await requestIndexRebuild(h.runtime)
  await Promise.all([toEnd(), toEnd(), add(100).then((mail) => mails.push(mail))])
  const [gone] = mails.splice(3, 1)
  await remove(gone)
  await expectRight(mails)
})

test('what was stored before links were known is judged by its text', async () => {
  const { mails } = await mailbox(30)
  const { store } = h.runtime
  await store.transaction(
    async (tx) => void (await tx.update(contents).set({ hasLink: sql`null` })),
  )
  await requestIndexRebuild(h.runtime)
  await toEnd()
  const expected = mails
    .filter(({ digest }) => digest.text?.includes('https://'))
    .map(({ id }) => id)
  expect(expected.length).toBeGreaterThan(0)
  expect(new Set(await found('has:link'))).toEqual(new Set(expected))
})

test('searches stay right whatever is done to messages', async () => {
  const { mails, places, random, add } = await mailbox(20, 3)
  const { store } = h.runtime
  for (let step = 0; step < 60; step += 1) {
    const at = random.integer(0, mails.length - 1)
    const mail = mails[at]
    if (!mail) throw new Error('There are no messages left.')
    const action = random.pick(['add', 'copy', 'flag', 'move', 'remove', 'rebuild', 'merge'])
    if (action === 'add') mails.push(await add(1_000 + step))
    if (action === 'copy') mails.push(await storeMail(store, mail))
    if (action === 'flag' || action === 'move') {
      const folder = action === 'move' ? random.pick(places) : mail.folder
      const read = action === 'flag' ? !mail.read : mail.read
      await store.transaction(
        async (tx) =>
          void (await tx
            .update(messages)
            .set({ folderId: folder.id, read })
            .where(eq(messages.id, mail.id))),
      )
      mails[at] = { ...mail, folder, read }
    }
    if (action === 'remove' && mails.length > 5) await remove(mails.splice(at, 1)[0])
    if (action === 'rebuild') {
      await requestIndexRebuild(h.runtime)
      await rebuildNextOfIndex(h.runtime)
    }
    if (action === 'merge') await beginMerge(h.runtime)
    if (step % 10 === 0) await expectRight(mails)
  }
  await expectRight(mails)
})

async function remove(mail: StoredMail | undefined): Promise<void> {
  if (!mail) return
  await h.runtime.store.transaction(async (tx) => {
    await tx.delete(messages).where(eq(messages.id, mail.id))
    await removeOrphanedContents(tx, [mail.contentId])
  })
}
