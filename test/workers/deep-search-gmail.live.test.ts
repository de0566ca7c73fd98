import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import type { Store } from '../../runtime/ports/store.ts'
import type { Wake } from '../../runtime/ports/wake.ts'
import { type LabGmail, startGmail } from '../lab/gmail-imap.ts'
import {
  addAccount,
  shownMail,
  startSync,
  syncedOnce,
  whileSyncing,
} from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { searched, startSearching, subjectsFound } from '../support/deep-searches.ts'
import { eventually } from '../support/eventually.ts'

const mail = (subject: string, text: string) =>
  `From: Ada <ada@example.org>\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.org>\r\n\r\n${text}\r\n`

/** By subject: the labels of a message, and where it is shown. */
const HITS = {
  'in the inbox': [['\\Inbox', 'Work', 'to do'], 'INBOX'],
  archived: [['Work'], 'All Mail'],
  labelled: [['Später/日本'], 'All Mail'],
  sent: [['\\Sent'], 'Sent Mail'],
  'to myself': [['\\Sent', '\\Inbox'], 'INBOX'],
  draft: [['\\Draft'], 'Drafts'],
} as const
const ASIDE = { junk: [['\\Spam'], 'Spam'], thrown: [['\\Trash'], 'Trash'] } as const

let gmail: LabGmail
let store: Store
let accountId: number
beforeEach(async () => {
  gmail = await startGmail()
  onTestFinished(() => gmail.stop())
  const user = await gmail.addUser()
  const database = await temporaryStore()
  onTestFinished(database.remove)
  store = database.store
  accountId = await addAccount(store, gmail, user)
})

/** A mailbox that was in sync before all of this came, and what wakes those who search it. */
async function behindTheSync(): Promise<Wake> {
  gmail.deliver(mail('stored', 'The engine rests.'), { labels: ['\\Inbox', 'Work'] })
  await whileSyncing(store, () => syncedOnce(store))
  for (const [subject, [labels]] of Object.entries({ ...HITS, ...ASIDE }))
    gmail.deliver(mail(subject, 'The engine weaves.'), { labels })
  gmail.deliver(mail('other', 'Nothing.'), { labels: ['\\Inbox', 'Work'] })
  return startSearching(store, [accountId])
}

const shownAt = async () =>
  Object.fromEntries(
    (await shownMail(store)).map(({ subject, path, labels }) => [
      subject,
      [path.replace('[Gmail]/', ''), ...labels.toSorted()],
    ]),
  )

const placesOf = (mails: Readonly<Record<string, readonly [readonly string[], string]>>) =>
  Object.fromEntries(
    Object.entries(mails).map(([subject, [labels, path]]) => [
      subject,
      [path, ...labels.filter((label) => !label.startsWith('\\')).toSorted()],
    ]),
  )

const STORED = { stored: ['INBOX', 'Work'] }

/** Each message of the server once, where its labels show it. */
const expectEqual = () =>
  eventually(async () => {
    const ofServer = gmail.state().map(({ source }) => /Subject: (.*)\r/.exec(source)?.[1] ?? '')
    const shown = await shownMail(store)
    expect(shown.map(({ subject }) => subject).toSorted()).toEqual(ofServer.toSorted())
    for (const { id, path, total } of await store.read.select().from(folders))
      expect([path, total]).toEqual([path, shown.filter(({ folderId }) => folderId === id).length])
  })

test('what no sync has seen yet is stored once, with its labels, and kept by the next sync', async () => {
  const wake = await behindTheSync()
  const job = await searched(store, { query: 'engine' }, wake)
  expect(job).toMatchObject({ warnings: [], progress: { foldersDone: 1, foldersTotal: 1 } })
  expect(new Set(subjectsFound(job))).toEqual(new Set(['stored', ...Object.keys(HITS)]))
  expect(job.results).toHaveLength(7)
  expect(await shownAt()).toEqual({ ...STORED, ...placesOf(HITS) })
  const hits = await shownMail(store)
  expect(hits).toHaveLength(7)

  const again = await searched(store, { query: 'engine' }, wake)
  expect(again.results?.map(({ id }) => id)).toEqual(job.results?.map(({ id }) => id))
  expect(await shownMail(store)).toEqual(hits)

  await store.commit((write) => [write.delete(accountLeases)])
  await whileSyncing(store, expectEqual)
  const after = await shownMail(store)
  for (const hit of hits) expect(after).toContainEqual(hit)
  expect(await told('search.completed')).toMatchObject([
    { job_id: job.id, results: 7 },
    { job_id: again.id, results: 7 },
  ])
  // New mail is told whoever finds it, and once.
  expect((await told('message.received')).map((data) => data['subject'])).toEqual([
    'in the inbox',
    'to myself',
    'other',
  ])
})

async function told(kind: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows = await store.read.select().from(events)
  return rows.filter((event) => event.kind === kind).map(({ data }) => ({ ...data }))
}

type Searches = readonly (readonly [query: string, subjects: readonly string[]])[]

test.each<readonly [string, Searches]>([
  [
    'by labels',
    [
      ['label:"to do"', ['in the inbox']],
      ['label:WORK weaves', ['in the inbox', 'archived']],
      ['label:work', ['stored', 'in the inbox', 'archived', 'other']],
      ['label:"später/日本"', ['labelled']],
      ['engine -label:work', ['labelled', 'sent', 'to myself', 'draft']],
    ],
  ],
  [
    'by folders that labels fill',
    [
      ['engine in:sent', ['sent']],
      ['engine is:draft', ['draft']],
      ['engine in:archive', ['archived', 'labelled']],
      ['engine in:inbox', ['stored', 'in the inbox', 'to myself']],
      ['engine (in:sent OR in:drafts)', ['sent', 'draft']],
      ['engine -in:inbox', ['archived', 'labelled', 'sent', 'draft']],
    ],
  ],
  [
    'in spam and trash where they are named alone',
    [
      ['engine -in:trash label:work', ['stored', 'in the inbox', 'archived']],
      ['engine in:trash', ['thrown']],
      ['engine (in:spam OR in:inbox)', ['stored', 'in the inbox', 'to myself', 'junk']],
      ['engine in:spam', ['junk']],
      ['engine', ['stored', ...Object.keys(HITS)]],
    ],
  ],
])('searches %s', async (_what, searches) => {
  const wake = await behindTheSync()
  for (const [query, subjects] of searches) {
    const job = await searched(store, { query }, wake)
    expect(job.warnings, query).toEqual([])
    expect(subjectsFound(job)?.toSorted(), query).toEqual(subjects.toSorted())
  }
})

test('the mail of one folder alone, spam and trash too', async () => {
  const wake = await behindTheSync()
  const rows = await store.read.select().from(folders)
  const found = async (role: string) => {
    const folderId = rows.find(({ specialUse }) => specialUse === role)?.id
    return subjectsFound(await searched(store, { query: 'engine', folderId }, wake))?.toSorted()
  }
  expect(await found('sent')).toEqual(['sent'])
  expect(await found('inbox')).toEqual(['in the inbox', 'stored', 'to myself'])
  expect(await found('trash')).toEqual(['thrown'])
  expect(await found('spam')).toEqual(['junk'])
})

test('a search and the sync that store the same at once store it once', async () => {
  const wake = startSync(store)
  await syncedOnce(store)
  for (let round = 0; round < 5; round += 1) {
    for (let number = 0; number < 20; number += 1)
      gmail.deliver(mail(`m${round}-${number}`, 'The engine weaves.'), {
        labels: number % 2 === 0 ? ['\\Inbox', 'Work'] : ['Work'],
      })
    const job = await searched(store, { query: `engine label:work subject:m${round}` }, wake)
    expect(job.warnings).toEqual([])
    expect(job.results).toHaveLength(20)
  }
  await expectEqual()
})
