import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { DovecotOptions } from '../../cli/commands/local/demo/dovecot.ts'
import { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { notices } from '../../db/schema/notices.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { changeMessage, type WantedChange } from '../../domain/messages/change.ts'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { MailServer } from '../../runtime/ports/mail-server.ts'
import type { AccountSyncPorts } from '../../workers/account-sync.ts'
import { startCuttableRelay } from '../lab/cuttable-relay.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, shownMail, startSync, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail as mail } from '../support/small-mail.ts'

const SETTLED_WITHIN_MS = 20_000
/** Folders that are looked at every ten minutes are looked at every six seconds. */
const CLOCK_TIMES_FASTER = 100

const SERVERS: Readonly<Record<string, DovecotOptions>> = {
  withRights: { obeysRights: true, without: ['NOTIFY'] },
  full: { messagesMax: 3, without: ['MOVE'] },
  bare: { specialUse: false, without: ['NOTIFY'] },
}

const servers = new Map<string, LabDovecot>()
beforeAll(async () => {
  for (const [name, options] of Object.entries(SERVERS))
    servers.set(name, await startLabDovecot(options))
})
afterAll(() => Promise.all([...servers.values()].map((server) => server.stop())))

interface Odd extends Partial<Pick<AccountSyncPorts, 'mailServer'>> {
  /** Of the owner in `Work` (RFC 4314). */
  readonly rights?: string
}

/** An account with these messages by folder, synced, its connections through a relay. */
async function setUp(
  server: keyof typeof SERVERS,
  mails: Readonly<Record<string, readonly string[]>>,
  { rights, mailServer }: Odd = {},
) {
  const dovecot = servers.get(server)
  if (!dovecot) throw new Error('There is no such server.')
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = await dovecot.addUser()
  const client = await dovecot.secondClient(user)
  for (const [path, subjects] of Object.entries(mails)) {
    if (path !== 'INBOX') await client.mailboxCreate(path)
    for (const subject of subjects) await client.append(path, mail(subject))
  }
  if (rights !== undefined)
    await writeFile(join(user.maildir, 'Work', 'dovecot-acl'), `owner ${rights}\n`)
  const relay = await startCuttableRelay({ host: dovecot.host, port: dovecot.imapPort })
  onTestFinished(() => relay.stop())
  await addAccount(store, { host: relay.host, imapPort: relay.port }, user)
  const wake = startSync(store, {
    clock: scaledClock(CLOCK_TIMES_FASTER),
    ...(mailServer && { mailServer }),
  })
  await eventually(async () =>
    expect(await store.read.select().from(accountLeases)).toMatchObject([{ syncedOnce: true }]),
  )
  const shown = async () =>
    Object.fromEntries((await shownMail(store)).map((message) => [message.subject, message]))
  return {
    store,
    client,
    relay,
    shown,
    async change(subject: string, change: WantedChange) {
      const messageId = (await shown())[subject]?.id ?? 0
      return changeMessage({ ...syncPorts(store), wake }, { messageId, change })
    },
    async folderId(path: string) {
      const known = await store.read.select().from(folders)
      return known.find((folder) => folder.path === path)?.id ?? 0
    },
    settled: () =>
      eventually(
        async () => expect(await store.read.select().from(mailboxChanges)).toEqual([]),
        SETTLED_WITHIN_MS,
      ),
    async told() {
      const rows = await store.read.select().from(events).orderBy(events.id)
      return rows
        .filter(({ kind }) => kind !== 'sync.error')
        .map(({ kind, data }) =>
          [kind, data['subject'], data['change'], data['origin']].filter(Boolean).join(' '),
        )
    },
    notices: async () => (await store.read.select().from(notices)).map(({ text }) => text),
    onServer: async (path: string) => {
      await client.mailboxOpen(path)
      const found = await client.fetchAll('1:*', { flags: true, envelope: true }).catch(() => [])
      return found.map(({ envelope, flags }) => [
        envelope?.subject,
        ...[...(flags ?? [])].filter((flag) => flag !== '\\Recent').toSorted(),
      ])
    },
  }
}

describe('what the server refuses for good is taken back, told and noted', () => {
  test('flags in a mailbox that may only be read, and moves out of it', async () => {
    const account = await setUp('withRights', { INBOX: ['here'], Work: ['one'] }, { rights: 'lr' })
    await account.change('one', { read: true })
    await account.settled()
    await account.change('one', { folderId: await account.folderId('INBOX') })
    await account.settled()
    expect((await account.shown())['one']).toMatchObject({ path: 'Work', read: false })
    expect(await account.told()).toEqual([
      'message.updated one read svc',
      'message.updated one unread svc',
      'message.updated one moved svc',
      'message.updated one moved svc',
    ])
    expect(await account.notices()).toEqual([
      expect.stringContaining('refused to change "one"'),
      expect.stringContaining('refused to move "one"'),
    ])
    expect(await account.onServer('INBOX')).toHaveLength(1)
  })

  test('a move into a mailbox that takes nothing', async () => {
    const account = await setUp('withRights', { INBOX: ['here'], Work: [] }, { rights: 'lr' })
    await account.change('here', { folderId: await account.folderId('Work'), starred: true })
    await account.settled()
    expect((await account.shown())['here']).toMatchObject({ path: 'INBOX', starred: true })
    expect(await account.notices()).toEqual([expect.stringContaining('refused to move "here"')])
    expect(await account.onServer('INBOX')).toEqual([['here', '\\Flagged']])
  })

  test('a copy for which there is no room: the original stays', async () => {
    const account = await setUp('full', { INBOX: ['one', 'two', 'three'], Work: [] })
    await account.change('one', { folderId: await account.folderId('Work') })
    await account.settled()
    expect((await account.shown())['one']).toMatchObject({ path: 'INBOX' })
    expect(await account.told()).toEqual([
      'message.updated one moved svc',
      'message.updated one moved svc',
    ])
    expect(await account.notices()).toHaveLength(1)
    expect(await account.onServer('INBOX')).toEqual([['one'], ['two'], ['three']])
  })

  test('a move to a folder that was deleted just before', async () => {
    const account = await setUp('bare', { INBOX: ['one'], Work: [] })
    await account.client.mailboxDelete('Work')
    await account.change('one', { folderId: await account.folderId('Work') })
    await account.settled()
    expect((await account.shown())['one']).toMatchObject({ path: 'INBOX' })
    expect(await account.told()).toEqual([
      'message.updated one moved svc',
      'message.updated one moved svc',
    ])
    expect(await account.notices()).toHaveLength(1)
    expect(await account.onServer('INBOX')).toEqual([['one']])
  })

  test('a change of a message whose folder was deleted just before: it goes with the folder', async () => {
    const account = await setUp('bare', { INBOX: ['stays'], Work: ['goes'] })
    await account.client.mailboxDelete('Work')
    await account.change('goes', { starred: true })
    await account.settled()
    await eventually(
      async () => expect(Object.keys(await account.shown())).toEqual(['stays']),
      SETTLED_WITHIN_MS,
    )
  })

  test('an archive that cannot be made', async () => {
    const account = await setUp('bare', { INBOX: ['one', 'two'] }, { mailServer: withoutArchive })
    await account.change('one', { moveTo: 'archive' })
    await account.change('two', { starred: true })
    await account.change('two', { moveTo: 'archive' })
    await account.settled()
    expect(await account.shown()).toMatchObject({
      one: { path: 'INBOX' },
      two: { path: 'INBOX', starred: true },
    })
    expect(await account.notices()).toHaveLength(2)
    expect((await account.told()).filter((line) => line.includes('moved'))).toHaveLength(4)
    const known = await account.store.read.select().from(folders)
    expect(known.map(({ specialUse }) => specialUse)).not.toContain('archive')
    expect(await account.onServer('INBOX')).toEqual([['one'], ['two', '\\Flagged']])
  })
})

/** A server that has no archive and lets nobody create one. */
const withoutArchive: MailServer = {
  async connect(settings, options) {
    const session = await imapflowMailServer({ metrics: memoryMetrics() }).connect(
      settings,
      options,
    )
    const refusal = new MailServerError('refused', 'Permission denied', {
      retryable: false,
      code: 'NOPERM',
    })
    return {
      ...session,
      listMailboxes: async () =>
        (await session.listMailboxes()).filter(({ path }) => path !== 'Archive'),
      createMailbox: () => Promise.reject(refusal),
    }
  },
}

test('while the server is away changes wait, and then arrive in order', async () => {
  const account = await setUp('bare', { INBOX: ['one', 'two'], Work: [] })
  account.relay.shut()
  await account.change('one', { starred: true, labelsAdd: ['work'] })
  await account.change('one', { starred: false })
  await account.change('one', { folderId: await account.folderId('Work') })
  await account.change('one', { read: true, labelsRemove: ['work'] })
  await account.change('two', { folderId: await account.folderId('Work') })
  await account.change('two', { folderId: await account.folderId('INBOX') })
  // Long enough for several attempts.
  await sleep(3_500)
  const before = await account.shown()
  account.relay.open()
  await account.settled()
  expect(await account.onServer('Work')).toEqual([['one', '\\Seen']])
  expect(await account.onServer('INBOX')).toEqual([['two']])
  expect(await account.notices()).toEqual([])
  expect(await account.shown()).toMatchObject({
    one: { id: before['one']?.id, path: 'Work', read: true, starred: false, labels: [] },
    two: { id: before['two']?.id, path: 'INBOX' },
  })
  expect((await account.told()).every((line) => line.endsWith('svc'))).toBe(true)
})

test.each([
  ['waiting', false],
  ['begun', true],
])('changes outlive a change of UIDVALIDITY, a move that was %s too', async (_name, isBegun) => {
  const account = await setUp('bare', { INBOX: [], Work: ['one', 'two', 'three'], Plan: [] })
  account.relay.shut()
  await account.change('one', { starred: true })
  await account.change('two', { folderId: await account.folderId('Plan') })
  if (isBegun)
    await account.store.commit((write) => [write.update(mailboxChanges).set({ startedAt: 1 })])
  const before = await account.shown()
  await account.client.mailboxDelete('Work')
  await account.client.mailboxCreate('Work')
  for (const subject of ['three', 'two', 'one']) await account.client.append('Work', mail(subject))
  account.relay.open()
  await account.settled()
  expect(await account.onServer('Plan')).toEqual([['two']])
  expect(await account.onServer('Work')).toEqual([['three'], ['one', '\\Flagged']])
  expect(await account.notices()).toEqual([])
  await eventually(async () =>
    expect(await account.shown()).toMatchObject({
      one: { id: before['one']?.id, path: 'Work', starred: true },
      two: { id: before['two']?.id, path: 'Plan' },
      three: { id: before['three']?.id, path: 'Work' },
    }),
  )
  expect(await account.told()).toEqual([
    'message.updated one starred svc',
    'message.updated two moved svc',
  ])
})
