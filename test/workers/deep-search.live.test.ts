import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { folders } from '../../db/schema/folders.ts'
import { listMessages } from '../../domain/messages/list.ts'
import { getSearchJob } from '../../domain/search/jobs/get.ts'
import { startDeepSearch } from '../../domain/search/jobs/start.ts'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import type { MailServer } from '../../runtime/ports/mail-server.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { rawImap, readServer } from '../lab/raw-imap.ts'
import { addAccount, shownMail, startSync, synced, whileSyncing } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import {
  addFolder,
  ended,
  searched,
  startSearching,
  subjectsFound,
} from '../support/deep-searches.ts'
import { eventually } from '../support/eventually.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'

const mail = (subject: string, text: string) =>
  `From: Ada <ada@example.org>\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.org>\r\n\r\n${text}\r\n`

describe('on Dovecot', () => {
  let dovecot: LabDovecot
  beforeAll(async () => {
    // With NOTIFY the sync hears of what happens in folders that it does not watch, and nothing is left to find.
    dovecot = await startLabDovecot({ without: ['NOTIFY'] })
  })
  afterAll(() => dovecot.stop())

  async function setUp() {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const user = await dovecot.addUser()
    const other = await dovecot.secondClient(user)
    return { store, user, other, accountId: await addAccount(store, dovecot, user) }
  }

  const told = async (store: Awaited<ReturnType<typeof setUp>>['store']) =>
    (await store.read.select().from(events)).map(({ kind, data }) => ({ kind, data }))

  test('hits that no sync has seen yet are stored, shown everywhere, and told as one search', async () => {
    const { store, other } = await setUp()
    await other.mailboxCreate('Work')
    const wake = startSync(store)
    await synced(store)
    await other.append('Work', mail('hit', 'The engine weaves.'), ['\\Seen'])
    await other.append('Work', mail('miss', 'Nothing.'))

    const job = await searched(store, { query: 'engine' }, wake)
    expect(job).toMatchObject({ warnings: [], progress: { foldersDone: 5, foldersTotal: 5 } })
    expect(subjectsFound(job)).toEqual(['hit'])
    const [work] = (await store.read.select().from(folders)).filter(({ path }) => path === 'Work')
    expect(work).toMatchObject({ total: 1, unread: 0 })
    const listed = await listMessages({ store }, { limit: 10, folderId: work?.id ?? 0 })
    expect(listed.items).toMatchObject([{ id: job.results?.[0]?.id, subject: 'hit', read: true }])
    expect(await told(store)).toEqual([
      { kind: 'search.completed', data: { job_id: job.id, query: 'engine', results: 1 } },
    ])
    expect(await shownMail(store)).toHaveLength(1)
  })

  test('what a server finds and the query does not mean is stored, and not listed', async () => {
    const { store, other } = await setUp()
    await other.mailboxCreate('Work')
    const wake = startSync(store)
    await synced(store)
    await other.append('Work', mail('whole', 'The engine weaves.'), ['to&ACA-do'])
    await other.append('Work', mail('part', 'Enginery.'), ['to&ACA-do'])
    await other.append('Work', mail('unlabelled', 'The engine weaves.'))
    const job = await searched(store, { query: 'engine label:"to do" -body:loom' }, wake)
    expect(subjectsFound(job)).toEqual(['whole'])
    expect((await shownMail(store)).map(({ subject }) => subject)).toEqual(['whole', 'part'])
  })

  test('a folder that is new on the server is searched once the sync has seen it', async () => {
    const { store, other } = await setUp()
    const wake = startSync(store)
    await synced(store)
    await other.mailboxCreate('New')
    await other.append('New', mail('hit', 'The engine weaves.'))
    const job = await searched(store, { query: 'engine' }, wake)
    expect(job.warnings).toEqual([])
    expect(subjectsFound(job)).toEqual(['hit'])
  })

  test('spam and trash are searched where they are named alone', async () => {
    const { store, other } = await setUp()
    const wake = startSync(store)
    await synced(store)
    const rows = await store.read.select().from(folders)
    const pathOf = (role: string) => rows.find(({ specialUse }) => specialUse === role)?.path ?? ''
    for (const role of ['inbox', 'spam', 'trash'])
      await other.append(pathOf(role), mail(role, 'The engine weaves.'))
    const found = async (query: string) =>
      subjectsFound(await searched(store, { query }, wake))?.toSorted()
    expect(await found('engine')).toEqual(['inbox'])
    expect(await found('engine in:trash')).toEqual(['trash'])
    expect(await found('engine (in:spam OR in:inbox)')).toEqual(['inbox', 'spam'])
    expect(await found('engine -in:trash')).toEqual(['inbox'])
    const trash = rows.find(({ specialUse }) => specialUse === 'trash')
    const job = await searched(store, { query: 'engine', folderId: trash?.id }, wake)
    expect(subjectsFound(job)).toEqual(['trash'])
  })

  test('what is stored of a folder that no sync has opened is kept by its first sync', async () => {
    const { store, user, other, accountId } = await setUp()
    await other.mailboxCreate('Work')
    for (let number = 1; number <= 40; number += 1)
      await other.append('Work', mail(`m${number}`, number % 10 === 0 ? 'engine' : 'none'))
    const imap = await rawImap(dovecot, user)
    onTestFinished(() => imap.close())
    for (const path of Object.keys(await readServer(imap))) await addFolder(store, accountId, path)

    const wake = await startSearching(store, [accountId], { limits: { hitsPerFolder: 3 } })
    const job = await searched(store, { query: 'engine' }, wake)
    expect(job.warnings.filter((warning) => warning.includes('newest 3'))).toHaveLength(1)
    const hits = await shownMail(store)
    expect(hits.map(({ subject, uid }) => [subject, uid])).toEqual([
      ['m20', 20],
      ['m30', 30],
      ['m40', 40],
    ])

    await store.commit((write) => [write.delete(accountLeases)])
    await whileSyncing(store, () =>
      eventually(async () => expect(await storedMailbox(store)).toEqual(await readServer(imap))),
    )
    const after = await shownMail(store)
    expect(after).toHaveLength(40)
    for (const hit of hits) expect(after).toContainEqual(hit)
    expect(await told(store)).toMatchObject([{ kind: 'search.completed' }])
  })

  test('the sync goes on while a search waits for its server', async () => {
    const { store, user } = await setUp()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const mailServer = waitingWithSearches(released)
    const wake = startSync(store, { mailServer })
    await synced(store)
    const ctx = { store, wake, clock: systemClock }
    const { id } = await startDeepSearch(ctx, { query: 'engine', limit: 10 })
    await eventually(async () =>
      expect(await getSearchJob(ctx, id)).toMatchObject({ progress: { foldersDone: 0 } }),
    )
    await dovecot.deliver(user, mail('new', 'The engine weaves.'))
    await eventually(async () => expect(await shownMail(store)).toHaveLength(1))
    expect(await getSearchJob(ctx, id)).toMatchObject({ status: 'running' })
    release()
    expect(subjectsFound(await ended(store, id))).toEqual(['new'])
    expect((await told(store)).map(({ kind }) => kind)).toEqual([
      'message.received',
      'search.completed',
    ])
  })
})

/** A mail server that answers no search before `released` resolves. */
function waitingWithSearches(released: Promise<void>): MailServer {
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
      }
    },
  }
}
