import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
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
