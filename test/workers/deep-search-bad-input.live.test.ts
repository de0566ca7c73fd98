import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parseQuery } from '../../domain/search/parse-query.ts'
import { type SearchedMailbox, toImap } from '../../domain/search/deep/to-imap.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { startGmail } from '../lab/gmail-imap.ts'
import type { LabServer } from '../lab/lab-server.ts'
import { rawImap, readServer } from '../lab/raw-imap.ts'
import { type RecordingRelay, startRecordingRelay } from '../lab/recording-relay.ts'
import { addAccount } from '../support/account-sync.ts'
import { anyQuery } from '../support/any-query.ts'
import { EXCESSIVE_QUERIES, MALFORMED_QUERIES } from '../support/bad-queries.ts'
import { addFolder, startSearching } from '../support/deep-searches.ts'
import { eventually } from '../support/eventually.ts'
import { harness, type Harness } from '../support/harness.ts'
import { openSession } from '../support/imap-session.ts'
import { threadCpuMs } from '../support/thread-cpu-ms.ts'

const RANDOM_QUERIES = process.env['SVC_TEST_LONG'] === '1' ? 5_000 : 100
/** What every server takes (RFC 7162 section 4). */
const COMMAND_BYTES_MAX = 8_192
const CPU_MS = 1_000
const MAIL =
  'From: Ada <ada@example.org>\r\nSubject: Engine\r\n\r\nThe engine of a loom: w1 w2.\r\n'
const ANY_MAILBOX: Omit<SearchedMailbox, 'hasGmailLabels'> = {
  isOf: () => true,
  isIn: () => undefined,
  messageIdsOf: (threadId) => [`${threadId}@example.org`],
  isOfDrafts: undefined,
}

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

async function setUp(server: LabServer = dovecot) {
  const h = await harness({ ports: { clock: systemClock } })
  onTestFinished(() => h.close())
  const user = await server.addUser()
  const other = await server.secondClient(user)
  for (let number = 0; number < 3; number += 1) await other.append('INBOX', MAIL)
  const relay = await startRecordingRelay(server)
  onTestFinished(() => relay.stop())
  const { store, wake } = h.runtime
  const accountId = await addAccount(store, relay, user)
  const imap = await rawImap(server, user)
  onTestFinished(() => imap.close())
  const mailbox = () => readServer(imap)
  for (const path of Object.keys(await mailbox())) await addFolder(store, accountId, path)
  await startSearching(store, [accountId], { wake })
  return { h, relay, user, mailbox }
}

async function searched(h: Harness, query: string) {
  const startMs = threadCpuMs()
  const response = await h.send('POST', '/api/v1/messages/search', { query, mode: 'deep' })
  expect(response.status).toBe(202)
  const { id } = await response.json()
  const job = await eventually(async () => {
    const asked = await (await h.get(`/api/v1/search/jobs/${id}`)).json()
    expect(asked).toMatchObject({ status: 'done' })
    return asked
  })
  return { job, cpuMs: threadCpuMs() - startMs }
}

test.each([
  ['malformed', MALFORMED_QUERIES],
  ['excessive', EXCESSIVE_QUERIES],
])('of %s queries a server understands every command', async (_kind, queries) => {
  const { h, relay, mailbox } = await setUp()
  const before = await mailbox()
  for (const [what, query] of queries) {
    const { job, cpuMs } = await searched(h, query)
    expect(cpuMs, what).toBeLessThan(CPU_MS)
    const ofServer = job.warnings.filter((warning: string) =>
      /^The (?:folder|account) “/.test(warning),
    )
    expect(ofServer, what).toEqual([])
  }
  expectUnderstood(relay)
  expect(await mailbox()).toEqual(before)
})

test.each<readonly [string, () => Promise<LabServer>]>([
  ['Dovecot', () => Promise.resolve(dovecot)],
  ['Gmail', () => startGmail()],
])(`and of ${RANDOM_QUERIES} others: %s`, async (_name, start) => {
  const server = await start()
  if (server !== dovecot) onTestFinished(() => server.stop())
  const { relay, user, mailbox } = await setUp(server)
  const before = await mailbox()
  const session = await openSession(relay, user)
  const { hasGmailLabels } = session
  const malformed = MALFORMED_QUERIES.map(([, query]) => query)
  const random = fc.oneof(anyQuery, fc.string({ unit: 'binary', maxLength: 200 }))
  for (const text of [...malformed, ...fc.sample(random, { seed: 5, numRuns: RANDOM_QUERIES })]) {
    const { expression } = parseQuery(text, Date.UTC(2026, 0, 1))
    const criterion = expression && toImap(expression, { ...ANY_MAILBOX, hasGmailLabels })
    if (criterion) await session.search(criterion)
  }
  expectUnderstood(relay)
  expect(await mailbox()).toEqual(before)
})

const COMMANDS = [
  'CAPABILITY',
  'ID',
  'AUTHENTICATE',
  'NAMESPACE',
  'ENABLE',
  'LIST',
  'LSUB',
  'SELECT',
  'UID',
  'LOGOUT',
]

/** Nothing was sent but what a search needs, and the server had nothing to say against it. */
function expectUnderstood(relay: RecordingRelay): void {
  expect(relay.endings().filter((ending) => !ending.startsWith('OK'))).toEqual([])
  const commands = relay.commands().map((command) => command.split(' '))
  const names = new Set(commands.flatMap(([, name]) => name ?? []))
  expect([...names].filter((name) => !COMMANDS.includes(name))).toEqual([])
  const searches = relay.commands().filter((command) => / UID SEARCH /.test(command))
  expect(searches.length).toBeGreaterThan(20)
  for (const search of searches) {
    expect(search.length).toBeLessThan(COMMAND_BYTES_MAX)
    expect(search.replaceAll(/\{\d+\+?\}\r\n/g, '')).not.toMatch(/[\0\r\n]/)
  }
}
