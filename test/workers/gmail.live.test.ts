import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import type { MailServer, MailSession } from '../../runtime/ports/mail-server.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { type LabGmail, startGmail } from '../lab/gmail-imap.ts'
import type { LabUser } from '../lab/lab-server.ts'
import {
  addAccount,
  shownMail,
  startSync,
  syncedOnce,
  whileSyncing,
} from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'

const mail = (subject: string, ...fields: readonly string[]) =>
  [
    'From: Grace <grace@example.org>',
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(' ', '-')}@example.org>`,
    ...fields,
    '',
    `Text of ${subject}.`,
    '',
  ].join('\r\n')

describe('a Gmail account', () => {
  let gmail: LabGmail
  let user: LabUser
  let store: Store
  beforeEach(async () => {
    gmail = await startGmail()
    onTestFinished(() => gmail.stop())
    user = await gmail.addUser()
    const database = await temporaryStore()
    onTestFinished(database.remove)
    store = database.store
  })

  const sync = async () => {
    await addAccount(store, gmail, user)
    startSync(store, { clock: scaledClock(20) })
  }
  /** Where each message is shown, with its labels. */
  const places = async () =>
    Object.fromEntries(
      (await shownMail(store)).map(({ subject, path, labels }) => [
        subject,
        [path.replace('[Gmail]/', ''), ...labels.toSorted()],
      ]),
    )
  const shown = (expected: Readonly<Record<string, readonly string[]>>) =>
    eventually(async () => expect(await places()).toEqual(expected), 10_000)
  const idOf = async (subject: string) =>
    (await shownMail(store)).find((message) => message.subject === subject)?.id

  test('has each message once, where its labels show it', async () => {
    gmail.deliver(mail('new'), { labels: ['\\Inbox', 'Work/Größe 😀', 'two words'] })
    gmail.deliver(mail('kept'), { labels: ['Work'] })
    gmail.deliver(mail('sent'), { labels: ['\\Sent'] })
    gmail.deliver(mail('to myself'), { labels: ['\\Sent', '\\Inbox'] })
    gmail.deliver(mail('draft'), { labels: ['\\Draft'] })
    gmail.deliver(mail('spam'), { labels: ['\\Spam'] })
    gmail.deliver(mail('thrown away'), { labels: ['\\Trash'] })
    await sync()
    await shown({
      new: ['INBOX', 'Work/Größe 😀', 'two words'],
      kept: ['All Mail', 'Work'],
      sent: ['Sent Mail'],
      'to myself': ['INBOX'],
      draft: ['Drafts'],
      spam: ['Spam'],
      'thrown away': ['Trash'],
    })
    const rows = await store.read.select().from(folders)
    const roles = Object.fromEntries(rows.map(({ path, specialUse }) => [path, specialUse]))
    expect(roles).toEqual({
      INBOX: 'inbox',
      '[Gmail]': null,
      '[Gmail]/All Mail': 'archive',
      '[Gmail]/Drafts': 'drafts',
      '[Gmail]/Sent Mail': 'sent',
      '[Gmail]/Spam': 'spam',
      '[Gmail]/Trash': 'trash',
    })
    expect(rows.find(({ path }) => path === 'INBOX')).toMatchObject({ total: 2, unread: 2 })
  })

  test('mail that comes, labels and flags that change show while you watch, under the same id', async () => {
    await sync()
    const msgid = gmail.deliver(mail('fresh'))
    await shown({ fresh: ['INBOX'] })
    const id = await idOf('fresh')
    gmail.setFlags(msgid, ['\\Seen', '\\Flagged'])
    await eventually(async () =>
      expect(await shownMail(store)).toMatchObject([{ read: true, starred: true }]),
    )
    gmail.setLabels(msgid, ['Later'])
    await shown({ fresh: ['All Mail', 'Later'] })
    gmail.setLabels(msgid, ['\\Inbox', 'Later'])
    await shown({ fresh: ['INBOX', 'Later'] })
    expect(await idOf('fresh')).toBe(id)
  })

  test('a flag that changes elsewhere is told once, under the id of the listing, whatever labels show the message (peer: EmailEngine #17)', async () => {
    const msgid = gmail.deliver(mail('one'), { labels: ['\\Inbox', '\\Important', 'Work'] })
    await sync()
    await syncedOnce(store)
    gmail.setFlags(msgid, ['\\Seen'])
    await eventually(async () => expect(await store.read.select().from(events)).toHaveLength(1))
    const [row] = await shownMail(store)
    expect(row).toMatchObject({ path: 'INBOX', read: true })
    gmail.deliver(mail('two'))
    await eventually(async () =>
      expect(await store.read.select().from(events).orderBy(events.id)).toMatchObject([
        {
          kind: 'message.updated',
          data: { id: row?.id, folder_id: row?.folderId, change: 'read', origin: 'external' },
        },
        { kind: 'message.received', data: { subject: 'two' } },
      ]),
    )
  })

  test('the inbox counts as unread what Gmail does, whatever other labels there are (peer: mimux)', async () => {
    const labels = [
      ['\\Inbox'],
      ['\\Inbox', 'Work'],
      ['\\Inbox', '\\Sent'],
      ['\\Inbox', '\\Starred'],
    ]
    const [first = '', second = '', third = ''] = labels.map((given, index) =>
      gmail.deliver(mail(`in ${index}`), { labels: given }),
    )
    for (const label of ['Work', '\\Sent', '\\Spam', '\\Trash'])
      gmail.deliver(mail(`with ${label.slice(1)}`), { labels: [label] })
    await sync()
    const client = await gmail.secondClient(user)
    const isCounted = (unread: number) =>
      eventually(async () => {
        expect(await client.status('INBOX', { unseen: true })).toMatchObject({ unseen: unread })
        const known = await store.read.select().from(folders)
        expect(known.find(({ path }) => path === 'INBOX')?.unread).toBe(unread)
      })
    await isCounted(4)
    gmail.setFlags(first, ['\\Seen'])
    await isCounted(3)
    gmail.setLabels(second, ['Work'])
    await isCounted(2)
    gmail.trash(third)
    await isCounted(1)
    gmail.setFlags(first, [])
    gmail.setLabels(second, ['Work', '\\Inbox'])
    await isCounted(3)
  })

  test('a message keeps its id into Trash and Spam and back, and is gone when it is gone there', async () => {
    const msgid = gmail.deliver(mail('restless'), { labels: ['\\Inbox'] })
    gmail.deliver(mail('calm'), { labels: ['\\Inbox'] })
    await sync()
    await shown({ restless: ['INBOX'], calm: ['INBOX'] })
    const id = await idOf('restless')
    gmail.trash(msgid)
    await shown({ restless: ['Trash'], calm: ['INBOX'] })
    gmail.setLabels(msgid, ['\\Spam'])
    await shown({ restless: ['Spam'], calm: ['INBOX'] })
    gmail.setLabels(msgid, ['\\Inbox'])
    await shown({ restless: ['INBOX'], calm: ['INBOX'] })
    expect(await idOf('restless')).toBe(id)
    gmail.deleteForGood(msgid)
    await shown({ calm: ['INBOX'] })
  })

  test('what happened while no sync ran is found on reconnect', async () => {
    const msgids = ['stays', 'archived', 'trashed', 'deleted'].map((subject) =>
      gmail.deliver(mail(subject), { labels: ['\\Inbox'] }),
    )
    await addAccount(store, gmail, user)
    const all = { stays: ['INBOX'], archived: ['INBOX'], trashed: ['INBOX'], deleted: ['INBOX'] }
    await whileSyncing(store, () => shown(all))
    const ids = (await shownMail(store)).map(({ id, subject }) => ({ id, subject })).slice(0, 3)
    const [, archived = '', trashed = '', deleted = ''] = msgids
    gmail.setLabels(archived, [])
    gmail.trash(trashed)
    gmail.deleteForGood(deleted)
    startSync(store, { clock: scaledClock(20) })
    await shown({ stays: ['INBOX'], archived: ['All Mail'], trashed: ['Trash'] })
    expect((await shownMail(store)).map(({ id, subject }) => ({ id, subject }))).toEqual(ids)
  })

  test('messages that Gmail puts into one thread are one conversation', async () => {
    const first = gmail.deliver(mail('Plans'))
    gmail.deliver(mail('Re Plans', 'References: <Plans@example.org>'))
    await sync()
    await shown({ Plans: ['INBOX'], 'Re Plans': ['INBOX'] })
    const rows = await store.read.select().from(messages)
    expect(new Set(rows.map(({ threadId }) => threadId)).size).toBe(1)
    expect(rows.map(({ emailId }) => emailId)).toContain(first)
  })
})

test('an account that hides All Mail from IMAP is synced like any other', async () => {
  const gmail = await startGmail({ hidden: ['\\All'] })
  onTestFinished(() => gmail.stop())
  const user = await gmail.addUser()
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  gmail.deliver(mail('new'), { labels: ['\\Inbox', 'Work'] })
  await addAccount(store, gmail, user)
  startSync(store, { clock: scaledClock(20) })
  await eventually(async () => {
    const paths = (await shownMail(store)).map(({ path }) => path)
    expect(paths.toSorted()).toEqual(['INBOX', 'Work'])
  })
})

test('a system label that is hidden from IMAP later loses no mail', async () => {
  const { gmail, store } = await labelled()
  const before = (await shownMail(store)).map(({ id, subject }) => ({ id, subject }))
  startSync(store, { clock: scaledClock(20), mailServer: withoutSent })
  await eventually(async () =>
    expect(
      (await store.read.select().from(folders)).map(({ specialUse }) => specialUse),
    ).not.toContain('sent'),
  )
  gmail.deliver(mail('later'), { labels: ['\\Inbox'] })
  await eventually(async () => expect(await shownMail(store)).toHaveLength(3))
  const after = (await shownMail(store)).map(({ id, subject }) => ({ id, subject }))
  expect(after.slice(0, 2)).toEqual(before)
})

test('a flag that changes just before a FETCH takes no message out of the inbox', async () => {
  const { gmail, store, inboxMessage } = await labelled()
  let before: (() => void) | undefined
  startSync(store, {
    clock: scaledClock(20),
    mailServer: wrapped((session) => ({
      ...session,
      async fetchChanges(asked) {
        before?.()
        before = undefined
        return session.fetchChanges(asked)
      },
    })),
  })
  before = () => gmail.setFlags(inboxMessage, ['\\Seen'])
  await eventually(async () =>
    expect((await shownMail(store)).map(({ path, read }) => [path, read])).toContainEqual([
      'INBOX',
      true,
    ]),
  )
})

/** An account with a message in Sent and one in the inbox, synced. */
async function labelled() {
  const gmail = await startGmail()
  onTestFinished(() => gmail.stop())
  const user = await gmail.addUser()
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  gmail.deliver(mail('sent'), { labels: ['\\Sent'] })
  const inboxMessage = gmail.deliver(mail('in'), { labels: ['\\Inbox'] })
  await addAccount(store, gmail, user)
  const bothThere = () => eventually(async () => expect(await shownMail(store)).toHaveLength(2))
  await whileSyncing(store, bothThere, { clock: scaledClock(20) })
  return { gmail, store, inboxMessage }
}

const withoutSent = wrapped((session) => ({
  ...session,
  listMailboxes: async () =>
    (await session.listMailboxes()).filter(
      ({ specialUseAttribute }) => specialUseAttribute !== '\\Sent',
    ),
}))

function wrapped(wrap: (session: MailSession) => MailSession): MailServer {
  const server = imapflowMailServer({ metrics: memoryMetrics() })
  return { connect: async (settings, options) => wrap(await server.connect(settings, options)) }
}
