import { expect, onTestFinished, test } from 'vitest'
import { forwards } from '../../db/schema/forwards.ts'
import { notices } from '../../db/schema/notices.ts'
import { outgoingAttachments } from '../../db/schema/attachment-data.ts'
import { acquireLease } from '../../domain/sync/lease.ts'
import { queueForwards } from '../../workers/forwards.ts'
import { eventually } from '../support/eventually.ts'
import { harness } from '../support/harness.ts'
import { entries } from '../support/outgoing.ts'

const SOURCE = 'From: <carol@example.net>\r\nSubject: Offer\r\n\r\nHello.\r\n'

async function setUp() {
  const h = await harness()
  onTestFinished(h.close)
  const { store, sourceStore } = h.runtime
  const { id: accountId } = await h.make.account()
  const inbox = await h.make.inbox(accountId)
  await h.make.message(inbox, { source: SOURCE })
  const sourceHash = await sourceStore.put(new TextEncoder().encode(SOURCE))
  await store.commit((write) => [
    write.insert(forwards).values({
      accountId,
      messageId: 1,
      sourceHash,
      address: 'bob@example.net',
      filterId: 1,
      createdAt: h.clock.now().getTime(),
    }),
  ])
  await acquireLease(h.runtime, accountId, 'here')
  type Restored = 'away' | 'gone' | { source: Uint8Array }
  let restored: Restored = { source: new TextEncoder().encode(SOURCE) }
  let asked = 0
  const sources = {
    async restore() {
      asked += 1
      return restored
    },
  }
  const run = (...sidecarIds: readonly string[]) => {
    const stopping = new AbortController()
    const ended = Promise.all(
      sidecarIds.map((sidecarId) =>
        queueForwards(h.runtime, { sidecarId, sources }, stopping.signal),
      ),
    )
    onTestFinished(async () => {
      stopping.abort()
      await ended
    })
  }
  return {
    h,
    store,
    run,
    asked: () => asked,
    give: (next: Restored) => (restored = next),
    waiting: () => store.read.select().from(forwards),
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

test('a forward becomes one entry, whichever sidecars are at it', async () => {
  const { h, store, run, waiting } = await setUp()
  run('here', 'here', 'there')
  await eventually(async () => expect(await waiting()).toEqual([]))
  await settled()
  expect(await entries(store)).toMatchObject([
    {
      status: 'scheduled',
      isImmediate: false,
      sendAt: h.clock.now().getTime(),
      message: {
        from: { address: 'ada@example.org' },
        to: [{ address: 'bob@example.net' }],
        replyTo: [{ address: 'carol@example.net' }],
        subject: 'Fwd: Offer',
        headers: [
          { name: 'X-Svc-Forwarded-By', value: 'ada@example.org' },
          { name: 'Auto-Submitted', value: 'auto-forwarded' },
        ],
      },
    },
  ])
  expect(await store.read.select().from(outgoingAttachments)).toMatchObject([
    { contentType: 'message/rfc822', size: SOURCE.length, outboxId: 1 },
  ])
})

test('a sidecar leaves the forwards of accounts that others sync', async () => {
  const { run, waiting, asked } = await setUp()
  run('there')
  await settled()
  expect(await waiting()).toHaveLength(1)
  expect(asked()).toBe(0)
})

test.each(['away', 'gone'] as const)(
  'a source that is %s is asked for again, less and less often, and after a day the owner hears of it',
  async (missing) => {
    const { h, store, run, give, asked, waiting } = await setUp()
    give(missing)
    run('here')
    const pass = async (ms: number) => {
      await settled()
      h.clock.advance(ms)
      await settled()
    }
    await pass(9_000)
    expect(asked()).toBe(1)
    await pass(1_000)
    expect(asked()).toBe(2)
    expect(await store.read.select().from(notices)).toEqual([])
    await pass(24 * 60 * 60_000)
    await eventually(async () => expect(await waiting()).toEqual([]))
    expect(await store.read.select().from(notices)).toMatchObject([
      {
        kind: 'send_failed',
        messageId: 1,
        text: '"Offer" was not forwarded to bob@example.net: its source cannot be had.',
      },
    ])
    expect(await entries(store)).toEqual([])
  },
)

test('of a message that is too large to be kept whole, nothing is forwarded', async () => {
  const { store, run, give, waiting } = await setUp()
  give({ source: new TextEncoder().encode('Subject: Offer\r\n') })
  run('here')
  await eventually(async () => expect(await waiting()).toEqual([]))
  expect(await store.read.select().from(notices)).toHaveLength(1)
  expect(await entries(store)).toEqual([])
})
