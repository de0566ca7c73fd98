import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { webhookDeliveries, webhooks } from '../../db/schema/webhooks.ts'
import { getSearchJob } from '../../domain/search/jobs/get.ts'
import { startDeepSearch } from '../../domain/search/jobs/start.ts'
import { acquireLease, releaseLease } from '../../domain/sync/lease.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { accountPrompts } from '../../workers/account-prompts.ts'
import { searchDeep } from '../../workers/deep-search.ts'
import { type HostileRequest, startHostileImap } from '../lab/hostile-imap.ts'
import { addAccount, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { addFolder, searched, startSearching, subjectsFound } from '../support/deep-searches.ts'
import { eventually } from '../support/eventually.ts'

const INBOX = ['INBOX 4', 'INBOX 3', 'INBOX 2', 'INBOX 1', 'INBOX 0']

async function setUp() {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const accountId = await addAccount(store, imap, imap.user)
  for (const path of ['INBOX', 'Work']) await addFolder(store, accountId, path)
  return { imap, store, accountId }
}

const isOpened = ({ command, args }: HostileRequest, path: string) =>
  command === 'SELECT' && args.includes(path)

async function subscribe(store: Store) {
  await store.commit((write) => [
    write.insert(webhooks).values({
      url: 'http://[::1]/',
      sealedSecret: '',
      events: ['search.completed', 'message.received'],
      active: true,
      createdAt: 0,
    }),
  ])
}

test.each<readonly [string, (request: HostileRequest) => string | undefined, string]>([
  ['is refused', ({ tag }) => `${tag} NO Locked by another\r\n`, 'Locked by another'],
  ['ends the connection', () => undefined, 'onnection'],
  ['is answered too late', () => '', 'took longer than 3 seconds'],
])('the search goes on after a folder that %s', async (_, answer, words) => {
  const { imap, store, accountId } = await setUp()
  imap.behave({
    answer: (request, honest) => (isOpened(request, 'Work') ? answer(request) : honest),
  })
  // Long enough for the other folder on a machine that is slow, and over at once where nothing answers.
  const wake = await startSearching(store, [accountId], { limits: { folderMs: 3_000 } })
  const job = await searched(store, { query: 'text' }, wake)
  expect(job).toMatchObject({ progress: { foldersDone: 2, foldersTotal: 2 } })
  expect(job.warnings).toEqual([expect.stringContaining('The folder “Work” of the account')])
  expect(job.warnings[0]).toContain(words)
  expect(subjectsFound(job)?.toSorted()).toEqual(INBOX.toSorted())
})

test('a search that is refused is a warning, in the words of the server', async () => {
  const { imap, store, accountId } = await setUp()
  imap.behave({
    answer: ({ command, tag }, honest) =>
      command === 'UID SEARCH' ? `${tag} NO [SERVERBUG] No index\r\n` : honest,
  })
  const wake = await startSearching(store, [accountId])
  const job = await searched(store, { query: 'text' }, wake)
  expect(job.results).toEqual([])
  expect(job.warnings).toHaveLength(2)
  expect(job.warnings[0]).toMatch(/INBOX.*No index/)
})

test('a server that ends every connection is not asked for ever', async () => {
  const { imap, store, accountId } = await setUp()
  for (let number = 0; number < 20; number += 1) await addFolder(store, accountId, `F${number}`)
  const listed = Array.from({ length: 20 }, (_, number) => `* LIST () "/" F${number}\r\n`).join('')
  imap.behave({
    answer: ({ command, args }, honest) => {
      if (command === 'SELECT') return undefined
      return command === 'LIST' && !args.endsWith('""') ? `${listed}${honest}` : honest
    },
  })
  const wake = await startSearching(store, [accountId])
  const job = await searched(store, { query: 'text' }, wake)
  expect(job.warnings.at(-1)).toContain('ended too many connections')
  expect(imap.connections()).toBeLessThan(6)
})

test('an account that cannot be reached is a warning, and the others are searched', async () => {
  const { imap, store, accountId } = await setUp()
  const away = await startHostileImap()
  const user = { ...away.user, email: 'away@example.org' }
  const awayId = await addAccount(store, away, user)
  await addFolder(store, awayId, 'INBOX')
  await away.stop()
  await subscribe(store)
  const wake = await startSearching(store, [accountId, awayId])
  const job = await searched(store, { query: 'text', limit: 3 }, wake)
  expect(job.warnings).toEqual([
    'More than 3 messages were found: these are the newest.',
    expect.stringMatching(/^The account “away@example.org”: /),
  ])
  expect(job.results).toHaveLength(3)
  expect(imap.connections()).toBe(1)
  expect(await store.read.select().from(events)).toMatchObject([
    { kind: 'search.completed', data: { job_id: job.id, query: 'text', results: 3 } },
  ])
  expect(await store.read.select().from(webhookDeliveries)).toHaveLength(1)
})

test('a search of accounts that all fail ends, with nothing', async () => {
  const { imap, store, accountId } = await setUp()
  imap.behave({ greeting: '* BYE Come back later' })
  const wake = await startSearching(store, [accountId])
  const job = await searched(store, { query: 'text' }, wake)
  expect(job.results).toEqual([])
  expect(job.warnings).toEqual([expect.stringContaining('Come back later')])
})

test('a refused login is not tried with every search', async () => {
  const { imap, store, accountId } = await setUp()
  let logins = 0
  imap.behave({
    answer({ command, tag }, honest) {
      if (command !== 'LOGIN' && command !== 'AUTHENTICATE') return honest
      logins += 1
      return `${tag} NO [AUTHENTICATIONFAILED] Wrong password secret\r\n`
    },
  })
  const wake = await startSearching(store, [accountId])
  const first = await searched(store, { query: 'a' }, wake)
  expect(first.warnings).toEqual([expect.stringContaining('Wrong password ***')])
  const second = await searched(store, { query: 'b' }, wake)
  expect(second.warnings).toEqual([expect.stringContaining('login was refused')])
  expect(logins).toBe(1)
})

test('what a sidecar left is gone on with by the next, where it stopped', async () => {
  const { imap, store, accountId } = await setUp()
  await subscribe(store)
  let isSilent = true
  const opened: string[] = []
  imap.behave({
    answer(request, honest) {
      if (request.command === 'SELECT') opened.push(request.args)
      return isSilent && isOpened(request, 'Work') ? '' : honest
    },
  })
  const ports = syncPorts(store)
  const stopping = new AbortController()
  const lease = await acquireLease(ports, accountId, 'first')
  const first = searchDeep(
    ports,
    { sidecarId: 'first', prompts: accountPrompts() },
    stopping.signal,
  )
  const ctx = { store, wake: ports.wake, clock: systemClock }
  const { id } = await startDeepSearch(ctx, { query: 'text', limit: 100 })
  await eventually(async () =>
    expect(await getSearchJob(ctx, id)).toMatchObject({ progress: { foldersDone: 1 } }),
  )
  stopping.abort()
  await first
  if (lease) await releaseLease(ports, lease)
  expect(await getSearchJob(ctx, id)).toMatchObject({ status: 'running', warnings: [] })

  isSilent = false
  const wake = await startSearching(store, [accountId])
  const job = await searched(store, { query: 'text' }, wake)
  expect(job).toMatchObject({ id, warnings: [] })
  expect(job.results).toHaveLength(8)
  expect(opened.filter((args) => args.includes('INBOX'))).toHaveLength(1)
  expect(await store.read.select().from(webhookDeliveries)).toHaveLength(1)
})
