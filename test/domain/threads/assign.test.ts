import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { messages } from '../../../db/schema/messages.ts'
import { contents } from '../../../db/schema/contents.ts'
import { threads } from '../../../db/schema/threads.ts'
import type { Arrival } from '../../../domain/sync/arrival.ts'
import { ingest } from '../../../domain/sync/ingest.ts'
import { syncPorts } from '../../support/account-sync.ts'
import { arrival, leasedInbox } from '../../support/arrivals.ts'
import { temporaryStore } from '../../support/database.ts'

let database: Awaited<ReturnType<typeof temporaryStore>>
let accounts = 0
beforeAll(async () => {
  database = await temporaryStore()
})
afterAll(() => database.remove())

/** Lets the messages arrive in these batches; returns the thread of each Message-ID. */
const threadsAfter = async (batches: readonly (readonly Arrival[])[]) =>
  new Map(
    (await rowsAfter(batches)).map((row) => [row.messageIdHeader ?? '', row.threadId] as const),
  )

/** The same with a row for each message. */
async function rowsAfter(batches: readonly (readonly Arrival[])[]) {
  const { store } = database
  accounts += 1
  const { lease, folder } = await leasedInbox(store, `user${accounts}@example.org`)
  for (const arrivals of batches) await ingest(syncPorts(store), lease, { folder, arrivals })
  return store.read
    .select({ threadId: messages.threadId, messageIdHeader: contents.messageIdHeader })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .where(eq(messages.accountId, lease.accountId))
}

const root = arrival({ uid: 1, messageIdHeader: 'root@x' })
const reply = arrival({ uid: 2, messageIdHeader: 'reply@x', references: ['root@x'] })
const answer = arrival({ uid: 3, messageIdHeader: 'answer@x', references: ['root@x', 'reply@x'] })
const other = arrival({ uid: 4, messageIdHeader: 'other@x', subject: 'Message 1' })

test('a conversation is one thread, and another message with the same subject is not in it', async () => {
  const threadOf = await threadsAfter([[root, reply, answer, other]])
  expect(threadOf.get('reply@x')).toBe(threadOf.get('root@x'))
  expect(threadOf.get('answer@x')).toBe(threadOf.get('root@x'))
  expect(threadOf.get('other@x')).not.toBe(threadOf.get('root@x'))
})

test('the copy in Sent is in the conversation of the copy that came back (peer: MailFlow #378)', async () => {
  const copyOf = { messageIdHeader: 'reply@x', references: ['root@x'], source: 'as it was sent' }
  const sent = arrival({ uid: 5, ...copyOf })
  for (const batches of [
    [
      [root, reply],
      [sent, answer],
    ],
    [[sent], [reply, answer], [root]],
  ]) {
    const rows = await rowsAfter(batches)
    expect(rows).toHaveLength(4)
    expect(new Set(rows.map(({ threadId }) => threadId)).size).toBe(1)
  }
})

test('two threads that a late message joins become the older one, and the other an alias', async () => {
  const left = arrival({ uid: 1, messageIdHeader: 'left@x' })
  const right = arrival({ uid: 2, messageIdHeader: 'right@x' })
  const bridge = arrival({ uid: 3, messageIdHeader: 'bridge@x', references: ['left@x', 'right@x'] })
  const before = await database.store.read.select({ id: threads.id }).from(threads)
  const threadOf = await threadsAfter([[left], [right], [bridge]])
  const added = (await database.store.read.select().from(threads)).slice(before.length)
  expect(new Set(threadOf.values())).toEqual(new Set([added[0]?.id]))
  expect(added[1]?.joinedTo).toBe(added[0]?.id)
})

/** A random forest: each message may answer an earlier one. */
const conversations = fc
  .array(fc.option(fc.nat(), { nil: undefined }), { minLength: 1, maxLength: 12 })
  .map((parents) =>
    parents.map((parent, index) => {
      const answered = parent === undefined || index === 0 ? undefined : parent % index
      const references = answered === undefined ? [] : [`m${answered}@x`]
      return arrival({ uid: index + 1, messageIdHeader: `m${index}@x`, references })
    }),
  )

test('in whatever order and batches messages arrive, the same ones end up together', async () => {
  const arriving = conversations.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.integer({ min: 1, max: 5 }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(arriving, async ([all, shuffled, batchSize]) => {
      const inOrder = partition(await threadsAfter([all]))
      const batches = Array.from({ length: Math.ceil(shuffled.length / batchSize) }, (_, index) =>
        shuffled.slice(index * batchSize, (index + 1) * batchSize),
      )
      expect(partition(await threadsAfter(batches))).toEqual(inOrder)
    }),
    { numRuns: process.env['SVC_TEST_LONG'] ? 1_000 : 60 },
  )
})

/** Which Message-IDs are together, whatever their thread is called. */
function partition(threadOf: ReadonlyMap<string, number>): string[][] {
  const groups = Map.groupBy(threadOf.keys(), (messageIdHeader) => threadOf.get(messageIdHeader))
  return [...groups.values()]
    .map((group) => group.toSorted())
    .toSorted((a, b) => (a.join() < b.join() ? -1 : 1))
}
