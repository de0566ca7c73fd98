import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { StorageError } from '../../runtime/ports/storage-error.ts'
import { startHostileImap } from '../lab/hostile-imap.ts'
import { addAccount, startSync } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { inlineSources } from '../support/inline-sources.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'

const FULL = 'The disk is full. Mail comes in again as soon as there is room.'

test('a disk that is too full for a message shows in plain words, and the sync is back soon after', async () => {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  await addAccount(store, imap, imap.user)
  const { sourceStore, sourceIntake } = inlineSources()
  let full = true
  const intake = {
    ...sourceIntake,
    take: async (sources: readonly Uint8Array[]) => {
      if (full) throw new StorageError(FULL)
      return sourceIntake.take(sources)
    },
  }
  startSync(store, { clock: scaledClock(20), sourceStore, sourceIntake: intake })
  const shown = () => store.read.select().from(accounts)
  await eventually(async () =>
    expect(await shown()).toMatchObject([{ state: 'error', error: FULL }]),
  )
  full = false
  await eventually(async () => expect(await shown()).toMatchObject([{ state: 'ok', error: null }]))
  expect(await storedMailbox(store)).toEqual(imap.mailbox())
})
