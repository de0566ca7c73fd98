import { afterAll, beforeAll, expect, test } from 'vitest'
import { filterRuns } from '../../../db/schema/filters.ts'
import { removeAccount } from '../../../domain/accounts/remove.ts'
import { startFilterRuns } from '../../../domain/filters/start-runs.ts'
import { memoryWake } from '../../../runtime/memory/wake.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'
import { noTranscripts } from '../../support/no-transcripts.ts'

let database: Awaited<ReturnType<typeof temporaryStore>>
let make: ReturnType<typeof factories>
beforeAll(async () => {
  database = await temporaryStore()
  make = factories(database.store, memorySourceStore())
})
afterAll(() => database.remove())

const start = (accountId: number, ...sourceHashes: readonly string[]) =>
  database.store.transaction(async (tx) => [
    ...(await startFilterRuns(tx, { accountId, sourceHashes, ranAt: 0 })),
  ])

test('rules run once on a message of an account, whatever becomes of its row', async () => {
  const [one, two] = [await make.account(), await make.account()]
  expect(await start(one.id)).toEqual([])
  expect(await start(one.id, 'a', 'b', 'a')).toEqual(['a', 'b'])
  expect(await start(one.id, 'b', 'c')).toEqual(['c'])
  expect(await start(two.id, 'a')).toEqual(['a'])
})

test('a transaction that is rolled back has run none', async () => {
  const { id: accountId } = await make.account()
  const rolledBack = database.store.transaction(async (tx) => {
    await startFilterRuns(tx, { accountId, sourceHashes: ['x'], ranAt: 0 })
    throw new Error('No.')
  })
  await expect(rolledBack).rejects.toThrow('No.')
  expect(await start(accountId, 'x')).toEqual(['x'])
})

test('what is known of the runs goes with its account', async () => {
  const { store } = database
  const account = await make.account()
  const hashes = Array.from({ length: 2500 }, (_, at) => String(at))
  await store.transaction((tx) =>
    startFilterRuns(tx, { accountId: account.id, sourceHashes: hashes, ranAt: 0 }),
  )
  const ports = { sourceStore: memorySourceStore(), transcripts: noTranscripts, wake: memoryWake() }
  await removeAccount({ store, ...ports }, { id: account.id })
  const left = await store.read.select().from(filterRuns)
  expect(left.filter(({ accountId }) => accountId === account.id)).toEqual([])
  expect(left.length).toBeGreaterThan(0)
})
