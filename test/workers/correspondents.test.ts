import { expect, onTestFinished, test } from 'vitest'
import { correspondents, unnotedContents } from '../../db/schema/correspondents.ts'
import { ingest } from '../../domain/sync/ingest.ts'
import { noteCorrespondents } from '../../workers/correspondents.ts'
import { syncPorts } from '../support/account-sync.ts'
import { arrival, leasedInbox } from '../support/arrivals.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { recordingLogger } from '../support/recording-logger.ts'

const MAILS = 500

test('the sidecar notes who has written, all of it once the mail is in', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { lease, folder } = await leasedInbox(store)
  const arrivals = Array.from({ length: MAILS }, (_, index) => arrival({ uid: index + 1 }))
  await ingest(syncPorts(store), lease, { folder, arrivals })

  const clock = fakeClock()
  const logger = recordingLogger()
  const ended = new AbortController()
  const running = noteCorrespondents({ store, clock, logger }, ended.signal)
  onTestFinished(() => {
    ended.abort()
    return running
  })
  await eventually(async () => {
    clock.advance(5_000)
    expect(await store.read.select().from(unnotedContents)).toEqual([])
  })
  expect(await store.read.select().from(correspondents)).toMatchObject([
    { address: 'grace@example.org', name: 'Grace' },
  ])
  expect(logger.lines).toEqual([])
})
