import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { drafts } from '../../db/schema/drafts.ts'
import { events } from '../../db/schema/events.ts'
import { countLeftBehind } from '../../domain/sync/left-behind.ts'
import { messages } from '../../db/schema/messages.ts'
import { createDraft } from '../../domain/drafts/create.ts'
import { deleteDraft } from '../../domain/drafts/delete.ts'
import { updateDraft } from '../../domain/drafts/update.ts'
import { startLabCourier } from '../lab/courier.ts'
import { startLabCyrus } from '../lab/cyrus.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import type { LabServer } from '../lab/lab-server.ts'
import { addAccount, startSync, synced, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { copiesOf, longAgo, published } from '../support/drafts-folder.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'

const EDITS = process.env['SVC_TEST_LONG'] ? 50 : 5

describe.each([
  ['Dovecot as it is', () => startLabDovecot()],
  ['Dovecot without CONDSTORE', () => startLabDovecot({ without: ['CONDSTORE', 'QRESYNC'] })],
  // What is expunged stays there, marked, until another program expunges all that is.
  ['Dovecot without UIDPLUS', () => startLabDovecot({ without: ['UIDPLUS', 'MOVE'] })],
  ['Courier', startLabCourier],
  ['Cyrus', () => startLabCyrus()],
])('%s', (name, start: () => Promise<LabServer>) => {
  let server: LabServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  const isExpunging = name !== 'Dovecot without UIDPLUS'
  const undeleted = async (client: ImapFlow) =>
    (await copiesOf(client)).filter(({ flags }) => isExpunging || !flags.includes('\\Deleted'))

  async function setUp() {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const user = await server.addUser()
    const client = await server.secondClient(user)
    const accountId = await addAccount(store, server, user)
    const wake = startSync(store, { clock: scaledClock(20) })
    await synced(store)
    const ctx = { ...syncPorts(store), wake, clock: longAgo }
    return { store, client, ctx, accountId, user }
  }

  test('a draft is published with all it has, and its row is tied to it', async () => {
    const { store, client, ctx } = await setUp()
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (__, index) => (index * 7) % 256))
    const { id } = await createDraft(ctx, {
      to: '"Lovelace, Ada" <ada@example.org>, half an addr',
      bcc: 'Señor Secreto <bcc@example.org>',
      subject: 'Grüße — 🚂',
      body: 'Hello.\n',
      attachments: [
        { filename: 'ü.bin', contentType: 'application/x-odd', data: bytes.toString('base64') },
      ],
    })
    await published(store)
    const [copy, ...others] = await undeleted(client)
    expect(others).toEqual([])
    expect(copy?.flags.toSorted()).toEqual(expect.arrayContaining(['\\Draft', '\\Seen']))
    expect(copy?.source).toMatch(/^To: "Lovelace, Ada" <ada@example.org>\r$/m)
    expect(copy?.source).toMatch(/^Bcc: .* <bcc@example.org>\r$/m)
    expect(copy?.source.replaceAll('\r\n', '')).toContain(bytes.toString('base64'))
    const [tied] = await store.read.select().from(messages).where(eq(messages.draftId, id))
    expect(tied).toMatchObject({ uid: copy?.uid, read: true })
  })

  test('many edits: never without a copy, one at rest, under one message id, and nobody is told', async () => {
    const { store, client, ctx, user } = await setUp()
    const { id } = await createDraft(ctx, { subject: 'revision 0', body: 'x' })
    await published(store)
    const [before] = await store.read.select().from(messages)
    const watcher = await server.secondClient(user)
    await watcher.mailboxOpen('Drafts')
    const watching = new AbortController()
    const counts = new Set<number>()
    const watched = (async () => {
      while (!watching.signal.aborted) {
        const uids = await watcher.search({ all: true }, { uid: true })
        counts.add(uids ? uids.length : 0)
      }
    })()
    for (let edit = 1; edit <= EDITS; edit += 1) {
      await updateDraft(ctx, { id, subject: `revision ${edit}` })
      ctx.wake.now('mailbox_changes')
      await eventually(async () => {
        const [row] = await store.read.select().from(drafts)
        expect(row?.publishedRevision).toBe(edit + 1)
      })
    }
    await published(store)
    watching.abort()
    await watched
    expect(counts.has(0)).toBe(false)
    const copies = await undeleted(client)
    expect(copies).toHaveLength(1)
    expect(copies[0]?.source).toContain(`Subject: revision ${EDITS}\r\n`)
    const rows = await store.read.select().from(messages)
    expect(rows).toMatchObject([{ id: before?.id, draftId: id, uid: copies[0]?.uid }])
    if (isExpunging) expect(await countLeftBehind(store.read, before?.folderId ?? 0)).toBe(0)
    expect(await store.read.select().from(events)).toEqual([])
  }, 120_000)

  test('a deleted draft is gone from the server, and does not come back', async () => {
    const { store, client, ctx } = await setUp()
    const { id } = await createDraft(ctx, { subject: 'to go' })
    await published(store)
    await deleteDraft(ctx, { id })
    await published(store)
    expect(await undeleted(client)).toEqual([])
    expect(await store.read.select().from(drafts)).toEqual([])
    expect(await store.read.select().from(messages)).toEqual([])
  })
})

test('a draft that goes to another account leaves the first, also while it is on its way there', async () => {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const users = [await dovecot.addUser(), await dovecot.addUser()] as const
  for (const user of users) await addAccount(store, dovecot, user)
  const [first, second] = [
    await dovecot.secondClient(users[0]),
    await dovecot.secondClient(users[1]),
  ]
  const wake = startSync(store, { clock: scaledClock(20) })
  const ctx = { ...syncPorts(store), wake, clock: longAgo }
  const { id } = await createDraft(ctx, { account: users[0].email, subject: 'mine' })
  for (const [at, waitedMs] of [
    [1, 60],
    [0, 20],
    [1, 0],
  ] as const) {
    await updateDraft(ctx, { id, account: users[at].email })
    ctx.wake.now('mailbox_changes')
    await setTimeout(waitedMs)
  }
  await published(store)
  await eventually(async () => expect(await copiesOf(second)).toHaveLength(1))
  expect(await copiesOf(first)).toEqual([])
  expect(await store.read.select().from(drafts)).toMatchObject([{ id, publishedRevision: 4 }])
  expect(await store.read.select().from(messages)).toMatchObject([{ draftId: id }])
})
