import { expect, onTestFinished, test } from 'vitest'
import { attachmentChunks, attachmentData } from '../../../db/schema/attachment-data.ts'
import { storeAttachmentBytes } from '../../../domain/submission/attachment-data.ts'
import { sweepAttachmentData } from '../../../domain/submission/sweep-attachment-data.ts'
import { harness } from '../../support/harness.ts'
import { queueOutgoing } from '../../support/outgoing.ts'

const HOUR_MS = 60 * 60_000

test('bytes that nothing names go an hour after they were stored, in small pieces', async () => {
  const h = await harness()
  onTestFinished(h.close)
  const { store, clock } = h.runtime
  const { id: accountId } = await h.make.account()
  const stored = (size: number) =>
    storeAttachmentBytes(h.runtime, {
      filename: 'a',
      contentType: 'text/plain',
      bytes: new Uint8Array(size),
    })
  await stored(3 * 1024 * 1024)
  const named = await stored(10)
  await queueOutgoing(store, { accountId, nowMs: clock.now().getTime(), attachments: [named] })
  h.clock.advance(HOUR_MS + 1)
  const young = await stored(10)

  const { signal } = new AbortController()
  const longest = { ms: 0 }
  const timed: typeof store.transaction = async (work) => {
    const begun = performance.now()
    const result = await store.transaction(work)
    longest.ms = Math.max(longest.ms, performance.now() - begun)
    return result
  }
  await sweepAttachmentData({ ...h.runtime, store: { ...store, transaction: timed } }, signal)
  const left = await store.read.select({ id: attachmentData.id }).from(attachmentData)
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([named.dataId, young.dataId]))
  expect(await store.read.select().from(attachmentChunks)).toHaveLength(2)
  expect(longest.ms).toBeLessThan(200)
})
