import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { drafts } from '../../../db/schema/drafts.ts'
import { outgoingAttachments } from '../../../db/schema/attachment-data.ts'
import { messages } from '../../../db/schema/messages.ts'
import { mailboxChanges } from '../../../db/schema/mailbox-changes.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { createDraft } from '../../../domain/drafts/create.ts'
import { removeSentDraft } from '../../../domain/drafts/remove-sent.ts'
import { sendDraft } from '../../../domain/drafts/send.ts'
import { updateDraft } from '../../../domain/drafts/update.ts'
import { registerSidecar } from '../../../domain/sidecars/register.ts'
import { unitOfWork } from '../../../domain/unit-of-work.ts'
import { systemClock } from '../../../runtime/node/clock.ts'
import { eventually } from '../../support/eventually.ts'
import { harness } from '../../support/harness.ts'

/** An API whose messages are taken up by a sidecar that the test plays. */
async function sending() {
  const h = await harness({ ports: { clock: systemClock } })
  const { runtime } = h
  const { store } = runtime
  await registerSidecar(runtime, { id: 'sidecar', url: 'http://127.0.0.1:1' })
  const account = await h.make.account({ name: 'Work', email: 'ada@example.org' })
  const entries = () => store.read.select().from(outbox).orderBy(outbox.id)
  const settle = async (outcome: Partial<typeof outbox.$inferInsert>) => {
    const [entry] = await eventually(async () => {
      const open = (await entries()).filter(({ status }) => status === 'scheduled')
      expect(open).toHaveLength(1)
      return open
    })
    await unitOfWork(runtime, async (unit) => {
      await unit.tx
        .update(outbox)
        .set(outcome)
        .where(eq(outbox.id, entry?.id ?? 0))
      if (outcome.status === 'sent' && entry?.draftId)
        await removeSentDraft(unit, entry.draftId, Date.now())
    })
    runtime.wake.now('outcomes')
  }
  return { h, runtime, store, account, entries, settle, [Symbol.asyncDispose]: h.close }
}

const NOTES = { filename: 'notes.txt', contentType: 'text/plain', data: 'SGVsbG8uCg==' }
const DRAFT = {
  to: '"Doe, Jane" <jane@example.org>, Team: a@example.org, b@example.org;',
  cc: 'c@example.org',
  bcc: 'hidden@example.org',
  subject: 'Hello',
  body: 'Hi.',
  attachments: [NOTES],
}

test('a draft is sent from whom, and with the addresses for answers, that another program gave it', async () => {
  await using s = await sending()
  const { id } = await createDraft(s.runtime, DRAFT)
  const from = { name: 'Sales, Ada', address: 'sales@example.org' }
  const replyTo = [{ name: 'Team', address: 'team@example.org' }, { address: 'b@example.org' }]
  await s.store.commit((write) => [
    write.update(drafts).set({ from, replyTo }).where(eq(drafts.id, id)),
  ])
  const sent = sendDraft(s.runtime, { id })
  await s.settle({ status: 'sent' })
  await sent
  expect(await s.entries()).toMatchObject([{ message: { from, replyTo } }])
})

test('a draft is sent with what is attached to it, and goes with its copy', async () => {
  await using s = await sending()
  const { id } = await createDraft(s.runtime, DRAFT)
  const folder = await s.h.make.folder(s.account.id, { path: 'Drafts', specialUse: 'drafts' })
  const place = { draftId: id, uid: 4, uidValidity: '9', serverFolderId: folder.id }
  await s.h.make.message(folder, place)
  const sent = sendDraft(s.runtime, { id })
  await s.settle({ status: 'sent' })
  const [entry] = await s.entries()
  expect(await sent).toEqual({
    kind: 'sent',
    messageIdHeader: entry?.messageIdHeader,
    refused: [],
  })
  expect(entry).toMatchObject({
    isImmediate: true,
    message: {
      from: { address: 'ada@example.org' },
      to: [
        { name: 'Doe, Jane', address: 'jane@example.org' },
        { address: 'a@example.org' },
        { address: 'b@example.org' },
      ],
      cc: [{ address: 'c@example.org' }],
      bcc: [{ address: 'hidden@example.org' }],
      subject: 'Hello',
    },
  })
  expect(await s.store.read.select().from(outgoingAttachments)).toMatchObject([
    { outboxId: entry?.id, draftId: null, filename: 'notes.txt', size: 7 },
  ])
  expect(await s.store.read.select().from(drafts)).toEqual([])
  expect(await s.store.read.select().from(messages)).toEqual([])
  expect(await s.store.read.select().from(mailboxChanges)).toMatchObject([
    { kind: 'expunge', change: { folderId: folder.id, uid: 4, uidValidity: '9' } },
  ])
})

test('sent twice at once it is sent once, and both hear of it', async () => {
  await using s = await sending()
  const { id } = await createDraft(s.runtime, DRAFT)
  const both = [sendDraft(s.runtime, { id }), sendDraft(s.runtime, { id })]
  await s.settle({ status: 'sent' })
  const [one, other] = await Promise.all(both)
  expect(one).toEqual(other)
  expect(await s.entries()).toHaveLength(1)
  await expect(sendDraft(s.runtime, { id })).rejects.toMatchObject({ code: 'not_found' })
})

test('one that could not be sent stays, and can be sent again', async () => {
  await using s = await sending()
  const { id } = await createDraft(s.runtime, DRAFT)
  const refused = expect(sendDraft(s.runtime, { id })).rejects.toMatchObject({
    code: 'upstream',
    details: { smtp_code: 550 },
  })
  await s.settle({ status: 'failed', failure: 'refused', smtpCode: 550, error: 'No.' })
  await refused
  const again = await updateDraft(s.runtime, { id, subject: 'Please' })
  expect(again).toMatchObject({ subject: 'Please', attachments: [{ filename: 'notes.txt' }] })
  const sent = sendDraft(s.runtime, { id })
  await s.settle({ status: 'sent' })
  expect(await sent).toMatchObject({ kind: 'sent' })
})

test('scheduled, it cannot be changed nor sent again until that is cancelled', async () => {
  await using s = await sending()
  const { id } = await createDraft(s.runtime, DRAFT)
  const scheduleAt = new Date(Date.now() + 60_000)
  expect(await sendDraft(s.runtime, { id, scheduleAt })).toEqual({
    kind: 'scheduled',
    outboxId: 1,
    sendAt: scheduleAt.getTime(),
  })
  const refused = { code: 'invalid_request', message: expect.stringContaining('outbox entry 1') }
  await expect(updateDraft(s.runtime, { id, subject: 'x' })).rejects.toMatchObject(refused)
  await expect(sendDraft(s.runtime, { id })).rejects.toMatchObject(refused)
  await s.settle({ status: 'cancelled' })
  expect(await updateDraft(s.runtime, { id, subject: 'x' })).toMatchObject({ subject: 'x' })
})

test.each([
  ['nobody to send it to', { to: '' }, 'to'],
  ['half an address', { to: 'jane@example.org, half' }, 'to'],
  ['an address that is none', { to: 'jane@example.org', cc: 'x y' }, 'cc'],
])('%s is noticed when it is sent, and nothing is stored', async (_, fields, named) => {
  await using s = await sending()
  const { id } = await createDraft(s.runtime, fields)
  await expect(sendDraft(s.runtime, { id })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(named),
  })
  expect(await s.entries()).toEqual([])
})

test('an answer is one also when what it answers has gone', async () => {
  await using s = await sending()
  const inbox = await s.h.make.inbox(s.account.id)
  const original = await s.h.make.message(inbox, {
    content: { messageIdHeader: 'two@x.example', references: ['one@x.example'] },
  })
  const { id } = await createDraft(s.runtime, { to: 'a@example.org', inReplyTo: original.id })
  await s.store.commit((write) => [write.delete(messages)])
  const scheduleAt = new Date()
  await sendDraft(s.runtime, { id, scheduleAt })
  expect(await s.entries()).toMatchObject([
    {
      inReplyTo: null,
      message: {
        inReplyToHeader: 'two@x.example',
        references: ['one@x.example', 'two@x.example'],
      },
    },
  ])
})
