import { eq, isNotNull } from 'drizzle-orm'
import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { drafts } from '../../db/schema/drafts.ts'
import { messages } from '../../db/schema/messages.ts'
import { createDraft } from '../../domain/drafts/create.ts'
import { listDrafts } from '../../domain/drafts/list.ts'
import { updateDraft } from '../../domain/drafts/update.ts'
import { digestMessage } from '../../domain/mime/digest-message.ts'
import { readAttachments } from '../../domain/submission/attachment-data.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, startSync, synced, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { copiesOf, longAgo, published } from '../support/drafts-folder.ts'
import { eventually } from '../support/eventually.ts'
import { fastClock } from '../support/scaled-clock.ts'
import { smallMail } from '../support/small-mail.ts'

/** Whoever replaces a draft still has a second between its two commands. */
const TIMES_FASTER = 10

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

async function setUp() {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = await dovecot.addUser()
  const client = await dovecot.secondClient(user)
  await client.append('INBOX', smallMail('the question'))
  await addAccount(store, dovecot, user)
  const wake = startSync(store, { clock: fastClock(TIMES_FASTER) })
  await synced(store)
  const ctx = { ...syncPorts(store), wake, clock: longAgo }
  const list = async () => (await listDrafts(ctx, { limit: 100 })).items
  return { store, client, ctx, list }
}

/** As another mail program saves it: the new one first, then the old one goes. */
async function replaceCopy(client: ImapFlow, edit: (source: string) => string) {
  const [copy] = await copiesOf(client)
  if (!copy) throw new Error('There is nothing to replace.')
  const source = Buffer.from(edit(copy.source), 'latin1')
  await client.append('Drafts', source, ['\\Draft', '\\Seen'])
  const lock = await client.getMailboxLock('Drafts')
  await client.messageDelete(String(copy.uid), { uid: true })
  lock.release()
}

const withoutRevision = (source: string) => source.replace(/^X-Svc-Draft-Revision:.*\r\n/m, '')

const FOREIGN = [
  'From: Ada <ada@example.org>',
  'To: "Hopper, Grace" <grace@example.org>, charles@example.com',
  'Cc: =?utf-8?q?J=C3=BCrgen?= <juergen@example.com>',
  'Bcc: secret@example.com',
  'Subject: Re: the question',
  'Message-ID: <foreign@example.org>',
  'In-Reply-To: <the-question@example.org>',
  'References: <the-question@example.org>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Hello <b>you</b></p>',
  '--b',
  'Content-Type: application/octet-stream',
  'Content-Disposition: attachment; filename=odd.bin',
  'Content-Transfer-Encoding: base64',
  '',
  'AAECA/8K',
  '--b--',
  '',
].join('\r\n')

test('who a draft of another program is from stays when it is edited, and goes with it to nobody else', async () => {
  const { store, client, ctx, list } = await setUp()
  const source = FOREIGN.replace(
    'From: Ada <ada@example.org>',
    'From: "Sales, Ada" <sales@example.org>\r\nReply-To: Team <team@example.org>, no address, b@example.org',
  )
  await client.append('Drafts', Buffer.from(source), ['\\Draft'])
  const [draft] = await eventually(async () => {
    const found = await list()
    expect(found).toHaveLength(1)
    return found
  })
  const id = draft?.id ?? 0
  await updateDraft(ctx, { id, subject: 'edited here' })
  await published(store)
  const [copy] = await copiesOf(client)
  expect(copy?.source).toMatch(/^From: "Sales, Ada" <sales@example.org>\r$/m)
  expect(copy?.source).toMatch(/^Reply-To: Team <team@example.org>, b@example.org\r$/m)
  await replaceCopy(client, (text) =>
    text.replace(/^From: .*\r\nTo:/m, 'From: ada@example.org\r\nTo:'),
  )
  await eventually(async () =>
    expect(await list()).toMatchObject([
      { id, from: { address: 'ada@example.org' }, replyTo: [{ name: 'Team' }, {}] },
    ]),
  )
  await updateDraft(ctx, { id, account: '' })
  expect(await list()).toMatchObject([{ id, from: null }])
})

test('a draft of another program is adopted, and edited without losing what it holds', async () => {
  const { store, client, ctx, list } = await setUp()
  await client.append('Drafts', FOREIGN, ['\\Draft'])
  const [draft] = await eventually(async () => {
    const found = await list()
    expect(found).toHaveLength(1)
    return found
  })
  const [question] = await store.read.select().from(messages)
  expect(draft).toMatchObject({
    to: '"Hopper, Grace" <grace@example.org>, charles@example.com',
    cc: 'Jürgen <juergen@example.com>',
    bcc: 'secret@example.com',
    subject: 'Re: the question',
    mode: 'html',
    body: expect.stringContaining('<p>Hello <b>you</b></p>'),
    kind: 'reply',
    inReplyTo: question?.id,
    attachments: [{ filename: 'odd.bin', contentType: 'application/octet-stream', size: 6 }],
  })
  const id = draft?.id ?? 0
  const [tied] = await store.read.select().from(messages).where(eq(messages.draftId, id))
  await updateDraft(ctx, { id, subject: 'Re: the question, answered' })
  await published(store)
  const copies = await copiesOf(client)
  expect(copies).toHaveLength(1)
  expect(copies[0]?.source).toMatch(/^In-Reply-To: <the-question@example.org>\r$/m)
  expect(copies[0]?.source).toMatch(/^Bcc: secret@example.com\r$/m)
  expect(copies[0]?.source).toContain('AAECA/8K')
  const [after] = await store.read.select().from(messages).where(eq(messages.draftId, id))
  expect(after).toMatchObject({ id: tied?.id, uid: copies[0]?.uid })
  const [attached] = await readAttachments(ctx, { draftId: id })
  const bytes: Uint8Array[] = []
  for await (const part of attached?.content() ?? []) bytes.push(part)
  expect(Buffer.concat(bytes)).toEqual(Buffer.from('AAECA/8K', 'base64'))
})

test.each([
  ['that keeps our header field', (source: string) => source],
  ['that does not', withoutRevision],
])('a draft follows what another program makes of it %s', async (_, asSaved) => {
  const { store, client, ctx, list } = await setUp()
  const { id } = await createDraft(ctx, { subject: 'ours', body: 'first\n', mode: 'markdown' })
  await published(store)
  await replaceCopy(client, (source) =>
    asSaved(source).replace('Subject: ours', 'Subject: theirs').replace('first', '**second**'),
  )
  await eventually(async () =>
    expect(await list()).toMatchObject([
      { id, subject: 'theirs', body: expect.stringContaining('**second**'), mode: 'markdown' },
    ]),
  )
  await updateDraft(ctx, { id, cc: 'more@example.org' })
  await published(store)
  const copies = await copiesOf(client)
  expect(copies).toHaveLength(1)
  expect(copies[0]?.source).toContain('Subject: theirs')
  expect(copies[0]?.source).toContain('Cc: more@example.org')
})

test.each(['ours', 'theirs'] as const)(
  'edited on both sides, %s being newer: both are kept',
  async (newer) => {
    const { store, client, ctx, list } = await setUp()
    const { id } = await createDraft(ctx, {
      subject: 'begun',
      attachments: [{ filename: 'a', contentType: 'text/plain', data: 'YQ==' }],
    })
    await published(store)
    const clock =
      newer === 'ours' ? { ...longAgo, now: () => new Date(Date.now() + 60_000) } : longAgo
    // Held back, as if the server could not be reached for a while.
    const holdBack = (publishDueAt: number) =>
      store.commit((write) => [write.update(drafts).set({ publishDueAt }).where(eq(drafts.id, id))])
    const editing = updateDraft({ ...ctx, clock }, { id, subject: 'ours' })
    await editing.then(() => holdBack(Date.now() + 600_000))
    await replaceCopy(client, (source) => source.replace('Subject: begun', 'Subject: theirs'))
    const found = await eventually(async () => {
      const all = await list()
      expect(all).toHaveLength(2)
      return all
    })
    expect(found.find((draft) => draft.id === id)).toMatchObject({ subject: newer })
    expect(found.map(({ subject }) => subject).toSorted()).toEqual(['ours', 'theirs'])
    expect(found.map(({ attachments }) => attachments.length)).toEqual([1, 1])
    if (newer === 'ours') await holdBack(0)
    await published(store)
    const copies = await copiesOf(client)
    const subjects = copies.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1])
    expect(subjects.map(String).toSorted()).toEqual(['ours', 'theirs'])
    expect(await list()).toHaveLength(2)
  },
)

test('two drafts of other programs with one Message-ID are two, and stay two when one is edited', async () => {
  const { store, client, ctx, list } = await setUp()
  for (const subject of ['the first', 'the second']) {
    const source = FOREIGN.replace('Subject: Re: the question', `Subject: ${subject}`)
    await client.append('Drafts', source, ['\\Draft'])
  }
  const found = await eventually(async () => {
    const all = await list()
    expect(all.map(({ subject }) => subject).toSorted()).toEqual(['the first', 'the second'])
    return all
  })
  const first = found.find(({ subject }) => subject === 'the first')
  await updateDraft(ctx, { id: first?.id ?? 0, subject: 'the first, edited' })
  await published(store)
  const subjects = (await copiesOf(client)).map(
    ({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1],
  )
  expect(subjects.map(String).toSorted()).toEqual(['the first, edited', 'the second'])
})

test('edited on both sides, and then there again: each stays itself', async () => {
  const { store, client, ctx, list } = await setUp()
  const { id } = await createDraft(ctx, { subject: 'begun' })
  await published(store)
  const clock = { ...longAgo, now: () => new Date(Date.now() + 60_000) }
  await updateDraft({ ...ctx, clock }, { id, subject: 'ours' })
  await replaceCopy(client, (source) => source.replace('Subject: begun', 'Subject: theirs'))
  await eventually(async () => expect(await list()).toHaveLength(2))
  await replaceCopy(client, (source) => source.replace('Subject: theirs', 'Subject: theirs again'))
  await eventually(async () =>
    expect((await list()).map(({ subject }) => subject).toSorted()).toEqual([
      'ours',
      'theirs again',
    ]),
  )
  expect((await list()).find((draft) => draft.id === id)).toMatchObject({ subject: 'ours' })
})

const LOGO = [
  'From: Ada <ada@example.org>',
  'Subject: with a logo',
  'Message-ID: <logo@example.org>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; boundary=r',
  '',
  '--r',
  'Content-Type: text/html',
  '',
  '<p>Yours, <img src="cid:logo@1"></p>',
  '--r',
  'Content-Type: image/png; name=logo.png',
  'Content-Disposition: inline; filename=logo.png',
  'Content-ID: <logo@1>',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw0KGgo=',
  '--r--',
  '',
].join('\r\n')

test('a picture within the text of another program stays there', async () => {
  const { store, client, ctx, list } = await setUp()
  await client.append('Drafts', LOGO, ['\\Draft'])
  const [draft] = await eventually(async () => {
    const all = await list()
    expect(all).toMatchObject([{ mode: 'html', attachments: [{ filename: 'logo.png', size: 8 }] }])
    return all
  })
  await updateDraft(ctx, { id: draft?.id ?? 0, subject: 'with a logo, edited' })
  await published(store)
  const [copy] = await copiesOf(client)
  const digest = await digestMessage(Buffer.from(copy?.source ?? '', 'latin1'))
  expect(digest).toMatchObject({
    subject: 'with a logo, edited',
    hasHtml: true,
    attachments: [
      { filename: 'logo.png', contentType: 'image/png', inline: true, contentId: 'logo@1' },
    ],
  })
  expect(copy?.source).toContain('cid:logo@1')
})

test.each(['rests here', 'was edited here'] as const)(
  'a draft that %s is replaced under another Message-ID: nothing is lost, and nothing piles up',
  async (state) => {
    const { store, client, ctx, list } = await setUp()
    const { id } = await createDraft(ctx, { subject: 'begun' })
    await published(store)
    const clock = { ...longAgo, now: () => new Date(Date.now() + 600_000) }
    if (state === 'was edited here') await updateDraft({ ...ctx, clock }, { id, subject: 'ours' })
    for (const subject of ['theirs', 'theirs again'])
      await replaceCopy(client, (source) =>
        withoutRevision(source)
          .replace(/^Subject: .*\r$/m, `Subject: ${subject}\r`)
          .replace(
            /^Message-ID: .*\r$/im,
            `Message-ID: <${subject.replace(' ', '.')}@example.org>\r`,
          ),
      )
    const kept = state === 'rests here' ? ['theirs again'] : ['ours', 'theirs again']
    await eventually(async () =>
      expect((await list()).map(({ subject }) => subject).toSorted()).toEqual(kept),
    )
    await store.commit((write) => [
      write.update(drafts).set({ publishDueAt: 0 }).where(isNotNull(drafts.publishDueAt)),
    ])
    await published(store)
    const copies = await copiesOf(client)
    const subjects = copies.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1])
    expect(subjects.map(String).toSorted()).toEqual(kept)
  },
)
