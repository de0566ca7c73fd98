import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { changeMessage, type WantedChange } from '../../domain/messages/change.ts'
import { markAnswered } from '../../domain/outbox/mark-answered.ts'
import { unitOfWork } from '../../domain/unit-of-work.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { startLabCourier } from '../lab/courier.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, shownMail, startSync, synced, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail as mail } from '../support/small-mail.ts'

describe.each([
  ['Dovecot as it is', {}],
  ['Dovecot without CONDSTORE', { without: ['CONDSTORE', 'QRESYNC'] }],
  ['Dovecot without MOVE', { without: ['MOVE'] }],
  ['Dovecot without MOVE and UIDPLUS', { without: ['MOVE', 'UIDPLUS'] }],
])('%s', (name, options) => {
  let dovecot: LabDovecot
  beforeAll(async () => {
    dovecot = await startLabDovecot(options)
  })
  afterAll(() => dovecot.stop())

  async function setUp(...subjects: readonly string[]) {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const user = await dovecot.addUser()
    const client = await dovecot.secondClient(user)
    for (const subject of subjects) await client.append('INBOX', mail(subject))
    await addAccount(store, dovecot, user)
    const wake = startSync(store)
    await synced(store)
    await eventually(async () => expect(await shownMail(store)).toHaveLength(subjects.length))
    const change = async (messageId: number, wanted: WantedChange) =>
      changeMessage({ ...syncPorts(store), wake }, { messageId, change: wanted })
    return { store, client, change }
  }

  const told = async (store: Store) => {
    const rows = await store.read.select().from(events).orderBy(events.id)
    return rows.map(({ kind, data }) => {
      const { subject, change: what, origin } = data as Record<string, unknown>
      return [kind, subject, what, origin].filter(Boolean).join(' ')
    })
  }
  const settled = (store: Store) =>
    eventually(async () => expect(await store.read.select().from(mailboxChanges)).toEqual([]))
  const hasUidPlus = !name.includes('UIDPLUS')

  test('flags and labels reach the server and come back as no news', async () => {
    const { store, client, change } = await setUp('one')
    const [before] = await shownMail(store)
    const shown = await change(before?.id ?? 0, {
      read: true,
      starred: true,
      labelsAdd: ['work', 'Grüße aus Köln'],
    })
    expect(shown).toMatchObject({ read: true, starred: true, labels: ['work', 'Grüße aus Köln'] })
    await settled(store)
    await client.mailboxOpen('INBOX')
    const message = await client.fetchOne('1', { flags: true })
    const flags = message ? [...(message.flags ?? [])] : []
    expect(flags).toEqual(expect.arrayContaining(['\\Seen', '\\Flagged', 'work']))
    await change(before?.id ?? 0, { read: false, labelsRemove: ['Work', 'grüße aus köln'] })
    await settled(store)
    await client.append('INBOX', mail('two'))
    await eventually(async () => expect(await shownMail(store)).toHaveLength(2))
    expect((await shownMail(store))[0]).toMatchObject({ read: false, starred: true, labels: [] })
    expect(await told(store)).toEqual([
      'message.updated one read svc',
      'message.updated one starred svc',
      'message.updated one labeled svc',
      'message.updated one unread svc',
      'message.updated one unlabeled svc',
      'message.received two',
    ])
  })

  test('that a message was answered reaches the server', async () => {
    const { store, client } = await setUp('one')
    const [before] = await shownMail(store)
    const ports = syncPorts(store)
    const answer = { messageId: before?.id ?? 0, nowMs: 1 }
    await unitOfWork(ports, (unit) => markAnswered(unit, answer))
    await settled(store)
    await client.mailboxOpen('INBOX')
    const message = await client.fetchOne('1', { flags: true })
    expect(message && [...(message.flags ?? [])]).toContain('\\Answered')
    expect(await told(store)).toEqual([])
  })

  test('a label that is too long for the server stays here, and keeps no other from it', async () => {
    const { store, client, change } = await setUp('one')
    const [before] = await shownMail(store)
    const long = 'a label of more than the fifty characters that a keyword can have'
    await change(before?.id ?? 0, { read: true, labelsAdd: [long, 'short'] })
    await settled(store)
    await client.mailboxOpen('INBOX')
    const message = await client.fetchOne('1', { flags: true })
    expect(message && [...(message.flags ?? [])]).toEqual(
      expect.arrayContaining(['\\Seen', 'short']),
    )
    expect(await shownMail(store)).toMatchObject([{ read: true, labels: [long, 'short'] }])
  })

  test('a move keeps the id, and later changes find the message where it is', async () => {
    const { store, client, change } = await setUp('one', 'two')
    const before = await shownMail(store)
    await change(before[0]?.id ?? 0, { moveTo: 'archive' })
    await settled(store)
    await change(before[0]?.id ?? 0, { starred: true })
    await settled(store)
    const archive = (await client.list()).find(({ specialUse }) => specialUse === '\\Archive')
    expect(archive?.path).toBe('Archive')
    await client.mailboxOpen('Archive')
    const message = await client.fetchOne('1', { flags: true, envelope: true })
    expect(message).toMatchObject({ envelope: { subject: 'one' } })
    expect(message && [...(message.flags ?? [])]).toContain('\\Flagged')
    const status = await client.status('INBOX', { messages: true })
    expect(status).toMatchObject({ messages: hasUidPlus ? 1 : 2 })
    await client.append('INBOX', mail('three'))
    await eventually(async () => expect(await shownMail(store)).toHaveLength(3))
    expect((await shownMail(store)).map(({ id, path, subject }) => [id, path, subject])).toEqual([
      [before[0]?.id, 'Archive', 'one'],
      [before[1]?.id, 'INBOX', 'two'],
      [expect.any(Number), 'INBOX', 'three'],
    ])
    expect(await told(store)).toEqual([
      'message.updated one moved svc',
      'message.updated one starred svc',
      'message.received three',
    ])
  })

  test('a moved message is met by later changes, not what has its old number where it is now (peer: mimux)', async () => {
    const { store, client, change } = await setUp('one', 'two', 'three')
    const [one, , three] = await shownMail(store)
    const places = async (path: string) => {
      await client.mailboxOpen(path)
      const found = await client.fetchAll('1:*', { envelope: true, flags: true })
      const isThere = found.filter(({ flags }) => !flags?.has('\\Deleted'))
      return isThere.map(({ envelope, flags }) => [
        envelope?.subject,
        ...['\\Flagged', '\\Seen'].filter((flag) => flags?.has(flag)),
      ])
    }
    await change(three?.id ?? 0, { moveTo: 'archive' })
    await settled(store)
    await change(one?.id ?? 0, { moveTo: 'archive' })
    await change(one?.id ?? 0, { starred: true })
    await settled(store)
    await change(one?.id ?? 0, { read: true })
    await settled(store)
    expect(await places('Archive')).toEqual([['three'], ['one', '\\Flagged', '\\Seen']])
    await change(one?.id ?? 0, { moveTo: 'trash' })
    await settled(store)
    expect(await places('Archive')).toEqual([['three']])
    expect(await places('Trash')).toEqual([['one', '\\Flagged', '\\Seen']])
    expect(await places('INBOX')).toEqual([['two']])
  })
})

test('on Courier, which has no archive, it is made below INBOX, and stays over the next pass', async () => {
  const courier = await startLabCourier()
  onTestFinished(() => courier.stop())
  const user = await courier.addUser()
  const client = await courier.secondClient(user)
  await client.append('INBOX', mail('one'))
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  await addAccount(store, courier, user)
  const wake = startSync(store, { clock: scaledClock(100) })
  await synced(store)
  const [before] = await shownMail(store)
  const messageId = before?.id ?? 0
  const { folderId } = await changeMessage(
    { ...syncPorts(store), wake },
    { messageId, change: { moveTo: 'archive' } },
  )
  await eventually(async () => expect(await store.read.select().from(mailboxChanges)).toEqual([]))
  await eventually(async () => {
    const [archive] = await store.read.select().from(folders).where(eq(folders.id, folderId))
    expect(archive).toMatchObject({ path: 'INBOX.Archive', listed: true, specialUse: 'archive' })
  })
  expect(await shownMail(store)).toMatchObject([{ id: messageId, path: 'INBOX.Archive' }])
  expect((await client.list()).map(({ path }) => path)).toContain('INBOX.Archive')
})
