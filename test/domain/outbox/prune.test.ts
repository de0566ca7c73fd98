import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { outgoingAttachments } from '../../../db/schema/attachment-data.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { pruneOutbox } from '../../../domain/outbox/prune.ts'
import { storeAttachmentBytes } from '../../../domain/submission/attachment-data.ts'
import { harness } from '../../support/harness.ts'
import { entries, queueOutgoing } from '../../support/outgoing.ts'

const DAY_MS = 24 * 60 * 60_000

type Row = Partial<typeof outbox.$inferInsert>

async function setUp(rows: readonly Row[]) {
  const h = await harness()
  onTestFinished(h.close)
  const { store, clock } = h.runtime
  const nowMs = clock.now().getTime()
  const { id: accountId } = await h.make.account()
  for (const row of rows) {
    const attachment = await storeAttachmentBytes(h.runtime, {
      filename: 'a',
      contentType: 'text/plain',
      bytes: Uint8Array.of(1),
    })
    const attachments = [attachment]
    const id = await queueOutgoing(store, { accountId, nowMs, attachments })
    await store.commit((write) => [write.update(outbox).set(row).where(eq(outbox.id, id))])
  }
  await pruneOutbox(h.runtime)
  const attached = await store.read.select().from(outgoingAttachments)
  return {
    kept: (await entries(store)).map(({ id }) => id),
    attached: attached.map(({ outboxId }) => outboxId),
  }
}

const ago = (days: number) => new Date('2026-03-01T12:00:00Z').getTime() - days * DAY_MS

test('what was settled is kept for 90 days, what is not for as long as it takes', async () => {
  const { kept } = await setUp([
    { status: 'sent', sendAt: ago(92), settledAt: ago(91) },
    { status: 'sent', sendAt: ago(92), settledAt: ago(89) },
    { status: 'failed', sendAt: ago(92), settledAt: ago(91) },
    { status: 'sent', sendAt: ago(92), settledAt: ago(91), copy: 'wanted' },
    { status: 'scheduled', sendAt: ago(91) },
    { status: 'sending', sendAt: ago(91) },
    { status: 'cancelled', sendAt: ago(91), settledAt: ago(91) },
    { status: 'cancelled', sendAt: ago(1), settledAt: ago(91) },
  ])
  expect(kept).toEqual([2, 4, 5, 6, 8])
})

test('of what nobody renders again, nothing stays attached', async () => {
  const { attached } = await setUp([
    { status: 'scheduled' },
    { status: 'sending' },
    { status: 'sent', copy: 'wanted' },
    { status: 'sent', copy: 'filed' },
    { status: 'cancelled' },
    { status: 'failed' },
  ])
  expect(attached).toEqual([1, 2, 3])
})
