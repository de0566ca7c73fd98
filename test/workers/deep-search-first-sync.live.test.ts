import { setTimeout as sleep } from 'node:timers/promises'
import { count } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { searchIndex } from '../../db/search-index.ts'
import { getSearchJob } from '../../domain/search/jobs/get.ts'
import { startDeepSearch } from '../../domain/search/jobs/start.ts'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import type { MailServer } from '../../runtime/ports/mail-server.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import { type RawImap, rawImap, readServer } from '../lab/raw-imap.ts'
import { addAccount, shownMail, startSync } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { ended, subjectsFound } from '../support/deep-searches.ts'
import { eventually } from '../support/eventually.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'

const isLong = process.env['SVC_TEST_LONG'] === '1'
const MAILS = isLong ? 30_000 : 3_000
/** One in so many of the oldest third is a hit. */
const HIT_EVERY = MAILS / 150
const FIRST_MS = Date.UTC(2025, 0, 1)
/** The sync stores a few thousand messages a second here; this many at once, so far apart. */
const PACED_MESSAGES = 50
const PACE_MS = 30
const SYNCED_WITHIN_MS = 120_000

const isHit = (number: number) => number < MAILS / 3 && number % HIT_EVERY === 0

function mail(folder: string, number: number) {
  const name = `${folder}${number}`
  const text = isHit(number) ? 'The engine weaves.' : 'Nothing.'
  const source = `From: Ada <ada@example.org>\r\nSubject: ${name}\r\nMessage-ID: <${name}@example.org>\r\n\r\n${text}\r\n`
  return {
    source: Buffer.from(source),
    internalDate: new Date(FIRST_MS + number * 60_000),
    flags: [],
  }
}

const hitsOf = (folder: string, size: number) =>
  Array.from({ length: size }, (_, number) => number)
    .filter(isHit)
    .map((number) => `${folder}${number}`)
const HITS = [...hitsOf('i', MAILS), ...hitsOf('w', MAILS / 10)]

function* mailbox(folder: string, size: number) {
  for (let number = 0; number < size; number += 1) yield mail(folder, number)
}

/** A mail server that gives messages no faster than a line would, and answers no search before `released` resolves. */
function slowMailServer(released: Promise<void>): MailServer {
  const mailServer = imapflowMailServer({ metrics: memoryMetrics() })
  return {
    async connect(settings, options) {
      const session = await mailServer.connect(settings, options)
      return {
        ...session,
        async search(criterion) {
          await released
          return session.search(criterion)
        },
        async *fetchMessages(uids) {
          let given = 0
          for await (const message of session.fetchMessages(uids)) {
            yield message
            given += 1
            if (given % PACED_MESSAGES === 0) await sleep(PACE_MS)
          }
        },
      }
    },
  }
}

async function storedMessages({ read }: Store): Promise<number> {
  const [row] = await read.select({ stored: count() }).from(messages)
  return row?.stored ?? 0
}

const stateOf = async ({ read }: Store) => (await read.select().from(accounts))[0]?.state

async function setUp() {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = await dovecot.addUser()
  await seedMaildir(user, 'INBOX', mailbox('i', MAILS))
  await seedMaildir(user, 'Work', mailbox('w', MAILS / 10))
  await addAccount(store, dovecot, user)
  const other = await dovecot.secondClient(user)
  await other.mailboxOpen('INBOX')
  const imap = await rawImap(dovecot, user)
  onTestFinished(() => imap.close())
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const wake = startSync(store, { mailServer: slowMailServer(released) })
  await eventually(async () => expect(await storedMessages(store)).toBeGreaterThan(MAILS / 10))
  const deliver = () => dovecot.deliver(user, mail('new', 1).source)
  return { store, other, imap, ctx: { store, wake, clock: systemClock }, release, deliver }
}

/** Each message of the server once, and counts and index rows to match. */
async function expectEqual(store: Store, imap: RawImap): Promise<void> {
  const onServer = await eventually(async () => {
    const read = await readServer(imap)
    expect(await storedMailbox(store)).toEqual(read)
    return read
  })
  const shown = await shownMail(store)
  expect(new Set(shown.map(({ path, uid }) => `${path} ${uid}`)).size).toBe(shown.length)
  for (const { path, total, unread } of await store.read.select().from(folders)) {
    const rows = shown.filter((row) => row.path === path)
    expect(rows).toHaveLength(onServer[path]?.messages.length ?? 0)
    expect({ total, unread }).toEqual({
      total: rows.length,
      unread: rows.filter(({ read }) => !read).length,
    })
  }
  for (const table of [contents, searchIndex])
    expect(await store.read.select({ rows: count() }).from(table)).toEqual([{ rows: shown.length }])
}

test('a search in the middle of a first sync is answered beside it, and the sync passes over its hits', async () => {
  const { store, other, imap, ctx, release, deliver } = await setUp()
  const { id } = await startDeepSearch(ctx, { query: 'engine', limit: 500 })
  const storedAtFirst = await storedMessages(store)
  // While the search waits for its server, the sync goes on.
  await eventually(async () => {
    expect(await getSearchJob(ctx, id)).toMatchObject({ progress: { foldersDone: 0 } })
    expect(await storedMessages(store)).toBeGreaterThan(storedAtFirst + 3 * PACED_MESSAGES)
  })
  release()
  const job = await ended(store, id)
  expect(await stateOf(store)).toBe('syncing')
  expect(job.warnings).toEqual([])
  expect(new Set(subjectsFound(job))).toEqual(new Set(HITS))
  expect(job.results).toHaveLength(HITS.length)

  // What happens to hits before the sync comes to them.
  const hits = (await shownMail(store)).filter(({ subject }) => HITS.includes(subject))
  expect(hits).toHaveLength(HITS.length)
  const ofInbox = hits.filter(({ path }) => path === 'INBOX')
  const uids = ofInbox.flatMap(({ uid }) => uid ?? [])
  const gone = ofInbox.slice(5, 10).map(({ subject }) => subject)
  await other.messageFlagsAdd(uids.slice(0, 5), ['\\Flagged', 'Later'], { uid: true })
  await other.messageDelete(uids.slice(5, 10), { uid: true })
  await deliver()
  expect(await stateOf(store)).toBe('syncing')

  await eventually(async () => expect(await stateOf(store)).toBe('ok'), SYNCED_WITHIN_MS)
  await expectEqual(store, imap)
  const ids = new Map((await shownMail(store)).map((row) => [row.subject, row.id]))
  for (const hit of hits)
    expect(ids.get(hit.subject), hit.subject).toBe(gone.includes(hit.subject) ? undefined : hit.id)
  // What comes last may be seen only after the first sync, and is told then.
  const told = (await store.read.select().from(events)).map(({ kind }) => kind)
  expect(told.filter((kind) => kind === 'search.completed')).toHaveLength(1)
  expect(told.length).toBeLessThanOrEqual(2)
})
