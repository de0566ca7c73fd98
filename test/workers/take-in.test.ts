import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { removeAccount } from '../../domain/accounts/remove.ts'
import { releaseLease } from '../../domain/sync/lease.ts'
import { takeIn } from '../../workers/take-in.ts'
import { leasedInbox } from '../support/arrivals.ts'
import { harness } from '../support/harness.ts'
import { inlineSources } from '../support/inline-sources.ts'

/** Takes in a message while `meanwhile` happens between its keeping and its storing; what is left of its source. */
async function interrupted(meanwhile: (context: Context) => Promise<void>) {
  const h = await harness()
  onTestFinished(() => h.close())
  const { lease, folder } = await leasedInbox(h.runtime.store)
  const { sourceStore, sourceIntake } = inlineSources()
  const runtime = { ...h.runtime, sourceStore }
  const hashes: string[] = []
  const take: typeof sourceIntake.take = async (...sources) => {
    const taken = await sourceIntake.take(...sources)
    hashes.push(...taken.map(({ sourceHash }) => sourceHash))
    await meanwhile({ runtime, lease })
    return taken
  }
  const session = {
    async *fetchMessages() {
      const source = new TextEncoder().encode('Subject: secret\r\n\r\nsecret')
      yield { uid: 1, flags: [], internalDateMs: 0, source, size: source.length }
    },
  }
  const intake = { ...runtime, sourceIntake: { ...sourceIntake, take } }
  await expect(takeIn(intake, { session, lease, folder } as never, [1])).rejects.toThrow()
  expect(hashes).toHaveLength(1)
  return { store: h.runtime.store, left: await sourceStore.get(hashes[0] ?? '') }
}

type Runtime = Awaited<ReturnType<typeof harness>>['runtime']
interface Context {
  readonly runtime: Runtime
  readonly lease: Awaited<ReturnType<typeof leasedInbox>>['lease']
}

test('an account that is removed while its messages come in leaves no source behind', async () => {
  const { store, left } = await interrupted(({ runtime, lease }) =>
    removeAccount(runtime, { id: lease.accountId }),
  )
  expect(await store.read.select().from(accounts)).toEqual([])
  expect(left).toBeUndefined()
})

test('sources that another process may be about to name stay when the lease is lost', async () => {
  const { left } = await interrupted(({ runtime, lease }) => releaseLease(runtime, lease))
  expect(left).toBeDefined()
})

test.each([
  ['it is read', undefined],
  ['it cannot be read', new Error('No room.')],
])('a spooled source is closed when %s', async (_, failure) => {
  const h = await harness()
  onTestFinished(() => h.close())
  const { lease, folder } = await leasedInbox(h.runtime.store)
  const { sourceStore, sourceIntake } = inlineSources()
  const bytes = new TextEncoder().encode('Subject: large\r\n\r\ntext')
  const done: string[] = []
  const source = {
    byteLength: bytes.length,
    read: async () => {
      done.push('read')
      if (failure) throw failure
      return bytes
    },
    close: async () => void done.push('closed'),
  }
  const session = {
    async *fetchMessages() {
      yield { uid: 1, flags: [], internalDateMs: 0, source, size: bytes.length }
    },
  }
  const ctx = { ...h.runtime, sourceStore, sourceIntake }
  const taking = takeIn(ctx, { session, lease, folder } as never, [1])
  await (failure ? expect(taking).rejects.toBe(failure) : taking)
  expect(done).toEqual(['read', 'closed'])
})

test('sources that are older than their account keeps them are never stored', async () => {
  const h = await harness()
  onTestFinished(() => h.close())
  const { store } = h.runtime
  const { lease, folder } = await leasedInbox(store)
  await store.transaction((tx) => tx.update(accounts).set({ sourceDays: 30 }))
  const { sourceStore, sourceIntake } = inlineSources()
  const put: string[] = []
  const take: typeof sourceIntake.take = async (taken, keeping) => {
    const read = await sourceIntake.take(taken, keeping)
    for (const { sourceHash } of read) if (await sourceStore.get(sourceHash)) put.push(sourceHash)
    return read
  }
  const dates = [31, 29].map((days) => h.clock.now().getTime() - days * 86_400_000)
  const sources = dates.map((_, at) => new TextEncoder().encode(`Subject: ${at}\r\n\r\ntext`))
  const session = {
    async *fetchMessages() {
      for (const [at, source = new Uint8Array()] of sources.entries())
        yield { uid: at + 1, flags: [], internalDateMs: dates[at], source, size: source.length }
    },
  }
  const ctx = { ...h.runtime, sourceStore, sourceIntake: { ...sourceIntake, take } }
  await takeIn(ctx, { session, lease, folder } as never, [1, 2])
  expect(put).toEqual([await inlineSources().sourceStore.put(sources[1] ?? new Uint8Array())])
  const rows = await store.read.select().from(contents).orderBy(contents.subject)
  expect(rows.map(({ subject, sourceKept }) => [subject, sourceKept])).toEqual([
    ['0', false],
    ['1', true],
  ])
})
