import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { notices } from '../../db/schema/notices.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { changeMessages } from '../../domain/messages/change-many.ts'
import { changeMessage, type WantedChange } from '../../domain/messages/change.ts'
import { type LabGmail, startGmail } from '../lab/gmail-imap.ts'
import type { LabUser } from '../lab/lab-server.ts'
import { addAccount, shownMail, startSync, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail as mail } from '../support/small-mail.ts'
import { folders } from '../../db/schema/folders.ts'

let gmail: LabGmail
let user: LabUser
beforeEach(async () => {
  gmail = await startGmail()
  onTestFinished(() => gmail.stop())
  user = await gmail.addUser()
})

async function setUp(labels: Readonly<Record<string, readonly string[]>>) {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  for (const [subject, given] of Object.entries(labels))
    gmail.deliver(mail(subject), { labels: given })
  await addAccount(store, gmail, user)
  const wake = startSync(store, { clock: scaledClock(100) })
  await eventually(async () =>
    expect(await store.read.select().from(accountLeases)).toMatchObject([{ syncedOnce: true }]),
  )
  const before = await shownMail(store)
  const idOf = (subject: string) => before.find((message) => message.subject === subject)?.id ?? 0
  const ctx = { ...syncPorts(store), wake }
  return {
    store,
    change: (subject: string, change: WantedChange) =>
      changeMessage(ctx, { messageId: idOf(subject), change }),
    changeAll: (subjects: readonly string[], change: WantedChange) =>
      changeMessages(ctx, { messageIds: subjects.map(idOf), change }),
    async folderId(role: string) {
      const known = await store.read.select().from(folders)
      return known.find(({ specialUse }) => specialUse === role)?.id ?? 0
    },
    /** The changes have been made, and syncs have seen what became of them. */
    async settled() {
      await eventually(async () =>
        expect(await store.read.select().from(mailboxChanges)).toEqual([]),
      )
      gmail.deliver(mail('marker'), { labels: ['\\Inbox'] })
      await eventually(async () =>
        expect((await shownMail(store)).map(({ subject }) => subject)).toContain('marker'),
      )
      const marker = gmail.state().find(({ source }) => source.includes('Subject: marker'))
      if (marker) gmail.deleteForGood(marker.msgid)
      await eventually(async () =>
        expect((await shownMail(store)).map(({ subject }) => subject)).not.toContain('marker'),
      )
      const rows = await store.read.select().from(messages)
      expect(rows.every(({ uid }) => uid !== null)).toBe(true)
      expect((await shownMail(store)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    },
    async shown(subject: string) {
      const found = (await shownMail(store)).find((message) => message.subject === subject)
      return found && [found.path.replace('[Gmail]/', ''), ...found.labels.toSorted()]
    },
    async told() {
      const rows = await store.read.select().from(events).orderBy(events.id)
      return rows
        .filter(({ data }) => data['subject'] !== 'marker')
        .map(({ kind, data }) =>
          [kind, data['subject'], data['change'], data['origin']].filter(Boolean).join(' '),
        )
    },
    notices: async () => (await store.read.select().from(notices)).map(({ text }) => text),
  }
}

/** Where Gmail has the message, and its labels. */
function onGmail(subject: string) {
  const found = gmail.state().filter(({ source }) => source.includes(`Subject: ${subject}\r\n`))
  expect(found).toHaveLength(1)
  return found.flatMap(({ mailbox, labels }) => [mailbox.replace('[Gmail]/', ''), ...labels])
}

const moved = (subject: string, times: number) =>
  Array.from({ length: times }, () => `message.updated ${subject} moved svc`)

test('archive, and back to the inbox', async () => {
  const account = await setUp({ one: ['\\Inbox', 'Work'], two: ['\\Inbox'] })
  await account.change('one', { moveTo: 'archive' })
  await account.settled()
  expect(onGmail('one')).toEqual(['All Mail', 'Work'])
  expect(await account.shown('one')).toEqual(['All Mail', 'Work'])
  await account.change('one', { folderId: await account.folderId('inbox') })
  await account.settled()
  expect(onGmail('one')).toEqual(['All Mail', 'Work', '\\Inbox'])
  expect(await account.shown('one')).toEqual(['INBOX', 'Work'])
  expect(await account.told()).toEqual(moved('one', 2))
})

test.each(['trash', 'spam'] as const)('to %s, and back to the inbox', async (place) => {
  const account = await setUp({ one: ['\\Inbox'], two: ['\\Inbox'] })
  const path = place === 'trash' ? 'Trash' : 'Spam'
  await account.change('one', { moveTo: place })
  await account.settled()
  expect(onGmail('one')[0]).toBe(path)
  expect(await account.shown('one')).toEqual([path])
  await account.change('one', { folderId: await account.folderId('inbox'), starred: true })
  await account.settled()
  expect(onGmail('one')).toEqual(['All Mail', '\\Inbox', '\\Starred'])
  expect(await account.shown('one')).toEqual(['INBOX'])
  expect(await account.shown('two')).toEqual(['INBOX'])
  expect(await account.told()).toEqual([
    'message.updated one moved svc',
    'message.updated one starred svc',
    'message.updated one moved svc',
  ])
})

test('from spam to the archive', async () => {
  const account = await setUp({ one: ['\\Spam'], two: ['\\Inbox'] })
  await account.change('one', { moveTo: 'archive' })
  await account.settled()
  expect(onGmail('one')).toEqual(['All Mail'])
  expect(await account.shown('one')).toEqual(['All Mail'])
  expect(await account.told()).toEqual(moved('one', 1))
})

test('labels of any name come and go', async () => {
  const account = await setUp({ one: ['\\Inbox', 'Old'] })
  await account.change('one', { labelsAdd: ['two words', 'Größe 😀', 'work'] })
  await account.settled()
  expect(onGmail('one').toSorted()).toEqual(
    ['All Mail', 'Größe 😀', 'Old', '\\Inbox', 'two words', 'work'].toSorted(),
  )
  await account.change('one', { labelsRemove: ['OLD', 'two words'], read: true })
  await account.settled()
  expect(onGmail('one').toSorted()).toEqual(['All Mail', 'Größe 😀', '\\Inbox', 'work'].toSorted())
  expect(await account.shown('one')).toEqual(['INBOX', 'Größe 😀', 'work'])
  expect(await account.told()).toEqual([
    'message.updated one labeled svc',
    'message.updated one read svc',
    'message.updated one unlabeled svc',
  ])
})

test('many at once, from several places', async () => {
  const account = await setUp({ one: ['\\Inbox'], two: ['\\Spam'], three: ['Work'] })
  await account.changeAll(['one', 'two', 'three'], { moveTo: 'trash' })
  await account.settled()
  for (const subject of ['one', 'two', 'three']) {
    expect(onGmail(subject)[0]).toBe('Trash')
    expect((await account.shown(subject))?.[0]).toBe('Trash')
  }
  const inbox = await account.folderId('inbox')
  await account.changeAll(['one', 'two', 'three'], { folderId: inbox })
  await account.settled()
  for (const subject of ['one', 'two', 'three']) {
    expect(onGmail(subject)).toEqual(['All Mail', '\\Inbox'])
    expect((await account.shown(subject))?.[0]).toBe('INBOX')
  }
  expect((await account.told()).toSorted()).toEqual(
    [...moved('one', 2), ...moved('three', 2), ...moved('two', 2)].toSorted(),
  )
})

test('what only Gmail decides is refused and taken back', async () => {
  const account = await setUp({ one: ['\\Inbox'], sent: ['\\Sent'] })
  await account.change('one', { folderId: await account.folderId('sent') })
  await account.settled()
  expect(await account.shown('one')).toEqual(['INBOX'])
  expect(onGmail('one')).toEqual(['All Mail', '\\Inbox'])
  expect(await account.told()).toEqual(moved('one', 2))
  expect(await account.notices()).toHaveLength(1)
})
