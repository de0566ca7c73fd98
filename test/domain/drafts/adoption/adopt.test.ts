import { expect, onTestFinished, test } from 'vitest'
import { drafts } from '../../../../db/schema/drafts.ts'
import { folders } from '../../../../db/schema/folders.ts'
import { messages } from '../../../../db/schema/messages.ts'
import { adoptCopy } from '../../../../domain/drafts/adoption/adopt.ts'
import { foundCopies } from '../../../../domain/drafts/adoption/found-copies.ts'
import { ingest } from '../../../../domain/sync/ingest.ts'
import { syncPorts } from '../../../support/account-sync.ts'
import { arrival, leasedInbox } from '../../../support/arrivals.ts'
import { temporaryStore } from '../../../support/database.ts'

/** The drafts that are made of these messages of a Drafts folder. */
async function adopted(arrivals: readonly ReturnType<typeof arrival>[]) {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { lease, folder } = await leasedInbox(store)
  await store.commit((write) => [write.update(folders).set({ specialUse: 'drafts' })])
  const ctx = syncPorts(store)
  await ingest(ctx, lease, { folder, arrivals })
  for (const messageId of await foundCopies(ctx, lease.accountId))
    await adoptCopy(ctx, lease, { messageId, hasWaited: false })
  return {
    drafts: await store.read.select().from(drafts).orderBy(drafts.id),
    messages: await store.read.select().from(messages).orderBy(messages.id),
  }
}

const OURS = /^[0-9a-f-]{36}@drafts\..+\.invalid$/

test.each(['sp\u00E4t@example.org', 'a\u0001b@example.org', `${'x'.repeat(800)}@example.org`])(
  'a draft under a Message-ID that cannot be written gets one of ours: %j',
  async (messageIdHeader) => {
    const found = await adopted([arrival({ uid: 1, messageIdHeader })])
    expect(found.drafts).toMatchObject([{ messageIdHeader: expect.stringMatching(OURS) }])
    expect(found.messages).toMatchObject([{ draftId: found.drafts[0]?.id }])
  },
)

test('any other keeps its own, under which another program goes on', async () => {
  const messageIdHeader = 'odd!#$%&\'*="@[example]'
  const found = await adopted([arrival({ uid: 1, messageIdHeader })])
  expect(found.drafts).toMatchObject([{ messageIdHeader, publishDueAt: null }])
})

test('what is marked as deleted becomes no draft', async () => {
  const found = await adopted([arrival({ uid: 1, flags: ['\\Draft', '\\Deleted'] })])
  expect(found.drafts).toEqual([])
})

test('copies of the same bytes are one draft', async () => {
  const same = { messageIdHeader: 'one@example.org', source: 'the same', subject: 's', dateMs: 0 }
  const found = await adopted([1, 2].map((uid) => arrival({ ...same, uid })))
  expect(found.drafts).toHaveLength(1)
  const [draft] = found.drafts
  expect(found.messages).toMatchObject([{ draftId: draft?.id }, { draftId: draft?.id }])
})
