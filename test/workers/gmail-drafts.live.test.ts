import { expect, onTestFinished, test } from 'vitest'
import { drafts } from '../../db/schema/drafts.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { createDraft } from '../../domain/drafts/create.ts'
import { deleteDraft } from '../../domain/drafts/delete.ts'
import { updateDraft } from '../../domain/drafts/update.ts'
import { startGmail } from '../lab/gmail-imap.ts'
import { addAccount, startSync, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { longAgo } from '../support/drafts-folder.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'

test('on Gmail a draft has one copy, found in All Mail, and what it replaces goes for good', async () => {
  const gmail = await startGmail()
  onTestFinished(() => gmail.stop())
  const user = await gmail.addUser()
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  await addAccount(store, gmail, user)
  const wake = startSync(store, { clock: scaledClock(100) })
  await eventually(async () =>
    expect(await store.read.select().from(accountLeases)).toMatchObject([{ syncedOnce: true }]),
  )
  const ctx = { ...syncPorts(store), wake, clock: longAgo }
  const published = (revision: number) =>
    eventually(async () => {
      expect(await store.read.select().from(drafts)).toMatchObject([
        { publishedRevision: revision, publishDueAt: null },
      ])
      expect(await store.read.select().from(mailboxChanges)).toEqual([])
    })
  const { id } = await createDraft(ctx, { subject: 'revision 1', to: 'grace@example.org' })
  await published(1)
  const [before] = await store.read.select().from(messages)
  expect(before).toMatchObject({ draftId: id })
  for (const edit of [2, 3, 4]) {
    await updateDraft(ctx, { id, subject: `revision ${edit}` })
    await published(edit)
  }
  expect(gmail.state()).toMatchObject([
    { source: expect.stringContaining('Subject: revision 4'), labels: ['\\Draft'] },
  ])
  expect(await store.read.select().from(messages)).toMatchObject([{ id: before?.id, draftId: id }])
  await deleteDraft(ctx, { id })
  await eventually(async () => {
    expect(gmail.state()).toEqual([])
    expect(await store.read.select().from(messages)).toEqual([])
    expect(await store.read.select().from(drafts)).toEqual([])
  })
})
