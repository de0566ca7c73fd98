import { expect, test } from 'vitest'

import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { searchIndex } from '../../db/search-index.ts'
import { contentsToIndex, requestIndexRebuild } from '../../domain/search/rebuild-index.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import { rebuildIndex } from '../../workers/index-rebuild.ts'
import { eventually } from '../support/eventually.ts'
import { harness } from '../support/harness.ts'
import { recordingLogger } from '../support/recording-logger.ts'
import { storeMail } from '../support/search-mailbox.ts'
import { searchableSource } from '../support/searchable-source.ts'

const MAILS = 50

test('a rebuild that was asked for is carried out by the sidecar', async () => {
  await using h = await harness()
  const { store } = h.runtime
  const account = await h.make.account()
  const folder = await h.make.inbox(account.id)
  const { id: threadId } = await h.make.thread(account.id)
  const random = seededRandom(1)
  for (let number = 0; number < MAILS; number += 1)
    await storeMail(store, {
      source: searchableSource(random, number),
      folder,
      threadId,
      dateMs: Date.UTC(2024, 0, 1) + number * 1_000,
    })
  await store.transaction(async (tx) => void (await tx.delete(searchIndex)))
  await requestIndexRebuild(h.runtime)

  const ended = new AbortController()
  const logger = recordingLogger()
  const running = rebuildIndex({ store, clock: systemClock, logger }, ended.signal)
  await eventually(() => Promise.resolve(expect(logger.lines).toHaveLength(2)))
  expect(logger.lines.map(({ message }) => message)).toEqual([
    'The search index is being built anew.',
    'The search index is whole.',
  ])
  expect(await contentsToIndex(h.runtime)).toBe(0)
  ended.abort()
  await running
  expect(await store.read.select({ id: searchIndex.rowid }).from(searchIndex)).toHaveLength(MAILS)
})
