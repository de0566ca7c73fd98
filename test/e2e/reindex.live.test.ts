import { setTimeout as sleep } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { contents } from '../../db/schema/contents.ts'
import { searchIndex } from '../../db/search-index.ts'
import { contentsToIndex } from '../../domain/search/rebuild-index.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { rawImap, readServer } from '../lab/raw-imap.ts'
import { shownMail } from '../support/account-sync.ts'
import { eventually } from '../support/eventually.ts'
import { indexedWords } from '../support/indexed-words.ts'
import { expectWhole, kill, run, setUpService } from '../support/killable-service.ts'
import { startSvc } from '../support/svc.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'

const MAILS = 999
const FIRST_MS = Date.UTC(2025, 0, 1)
/** Those of the first messages whose index rows are left as they are, and which nobody deletes. */
const isKept = (number: number) => number < MAILS && number % 3 === 0

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

const random = seededRandom(3)
const wordOf = (number: number) => `unique${number}`
const numberOf = (word: string) => Number(word.slice('unique'.length))

/** Each has a word of its own, and an age that is anywhere among those of the others. */
function mail(number: number) {
  const words = Array.from({ length: 30 }, () => `w${random.integer(0, 500)}`).join(' ')
  const date = new Date(FIRST_MS + ((number * 7_919) % MAILS) * 3_600_000)
  const source = [
    `From: Ada <ada${number % 50}@example.org>`,
    `Subject: ${wordOf(number)}`,
    `Date: ${date.toUTCString()}`,
    `Message-ID: <${number}@example.org>`,
    '',
    `The engine ${words} of ${wordOf(number)}.`,
    '',
  ].join('\r\n')
  return { source: Buffer.from(source), internalDate: date, flags: [] }
}

/** A service that is in sync, and whose index has lost a third of its rows and got another third wrong. */
async function setUp() {
  const user = await dovecot.addUser()
  await seedMaildir(
    user,
    'INBOX',
    Array.from({ length: MAILS }, (_, number) => mail(number)),
  )
  const setup = await setUpService(dovecot, user)
  onTestFinished(setup.remove)
  const running = await run(setup)
  await eventually(async () => expect(await running.api.messageCount()).toBe(MAILS), 60_000)
  const whole = await indexedWords(setup.dataDir)
  await spoilIndex(setup.store)
  return { user, setup, running, whole }
}

async function spoilIndex(store: Store): Promise<void> {
  const rows = await store.read
    .select({ id: contents.id, subject: contents.subject })
    .from(contents)
  const idsOf = (isMeant: (number: number) => boolean) =>
    rows.filter(({ subject }) => isMeant(numberOf(subject))).map(({ id }) => id)
  await store.transaction(async (tx) => {
    const spoilt = idsOf((number) => !isKept(number))
    await tx.delete(searchIndex).where(inArray(searchIndex.rowid, spoilt))
    const wrong = idsOf((number) => number % 3 === 1)
    await tx.insert(searchIndex).values(wrong.map((id) => ({ rowid: id, ...WRONG_TEXTS })))
  })
}

const WRONG_TEXTS = {
  subject: 'spoilt',
  sender: 'ada',
  recipients: '',
  cc: '',
  bcc: '',
  filenames: '',
  body: 'spoilt',
  traits: '',
}

interface Found {
  readonly data: readonly { readonly subject: string }[]
}

type SetUp = Awaited<ReturnType<typeof setUp>>

/** The subjects of what a query finds, newest first. */
async function found({ setup, running }: Pick<SetUp, 'setup' | 'running'>, query: string) {
  const answer = await fetch(`${running.service.url}/api/v1/messages/search`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${setup.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, limit: 500 }),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as Found).data.map(({ subject }) => subject)
}

/** The index has what it had, no row too many, and every message is found by its word. */
async function expectMended(given: SetUp): Promise<void> {
  const { setup, whole } = given
  const rows = await setup.store.read
    .select({ id: contents.id, subject: contents.subject })
    .from(contents)
  const now = await indexedWords(setup.dataDir)
  expect(new Set(now.keys())).toEqual(new Set(rows.map(({ id }) => id)))
  const differing = [...now].filter(([id, words]) => whole.has(id) && whole.get(id) !== words)
  expect(differing).toEqual([])
  const subjects = rows.map(({ subject }) => subject)
  for (let start = 0; start < subjects.length; start += WORDS_AT_ONCE) {
    const some = subjects.slice(start, start + WORDS_AT_ONCE)
    expect((await found(given, some.join(' OR '))).toSorted()).toEqual(some.toSorted())
  }
  expect(await found(given, 'spoilt')).toEqual([])
}

const WORDS_AT_ONCE = 100

/** Mail that arrives and is deleted, and searches for what is in the index all the time, until it is stopped. */
async function startTraffic({ user, setup, running }: SetUp) {
  const other = await dovecot.secondClient(user)
  await other.mailboxOpen('INBOX')
  const gone = (await shownMail(setup.store))
    .filter(({ subject }) => !isKept(numberOf(subject)))
    .flatMap(({ uid }) => uid ?? [])
  const over = new AbortController()
  let arrived = 0
  let searched = 0
  const comingAndGoing = async () => {
    for (; !over.signal.aborted; arrived += 1) {
      const { source, internalDate } = mail(MAILS + arrived)
      await other.append('INBOX', source, [], internalDate)
      await other.messageDelete(String(gone.pop()), { uid: true })
      await sleep(ARRIVALS_APART_MS)
    }
  }
  const searching = async () => {
    for (; !over.signal.aborted; searched += 1) {
      const word = wordOf((searched * 3) % MAILS)
      expect(await found({ setup, running }, word)).toEqual([word])
      await sleep(SEARCHES_APART_MS)
    }
  }
  const ended = Promise.all([comingAndGoing(), searching()])
  // What goes wrong is thrown by `stop`.
  ended.catch(() => {})
  const stop = async () => {
    over.abort()
    await ended
  }
  onTestFinished(stop)
  return { arrived: () => arrived, searched: () => searched, stop }
}

const ARRIVALS_APART_MS = 40
const SEARCHES_APART_MS = 5

test('a spoilt index is mended whatever is killed, while it is searched and mail comes and goes', async () => {
  const given = await setUp()
  const { user, setup, running } = given
  const left = () => contentsToIndex(setup)
  const isLessThan = (count: number) =>
    eventually(async () => expect(await left()).toBeLessThan(count), 30_000, 5)
  const reindex = () => startSvc(['search', 'reindex'], { env: setup.env })
  const traffic = await startTraffic(given)

  const first = reindex()
  await eventually(async () => expect(await left()).toBeGreaterThan(0), 30_000, 5)
  await isLessThan(await left())
  first.process.kill('SIGKILL')
  await first.ended
  const afterFirst = await left()
  expect(afterFirst).toBeGreaterThan(0)

  // The sidecar has noticed, and goes on.
  await isLessThan(afterFirst - 60)
  await kill(setup, running, 'sidecar')
  expect(await left()).toBeGreaterThan(0)

  const second = reindex()
  expect(await second.ended).toBe(0)
  expect(second.stdout()).toMatch(/^Indexed [\d,]+ messages\.\n$/)
  expect(await left()).toBe(0)

  await traffic.stop()
  expect(traffic.arrived()).toBeGreaterThan(5)
  expect(traffic.searched()).toBeGreaterThan(20)
  const imap = await rawImap(dovecot, user)
  onTestFinished(() => imap.close())
  await eventually(async () =>
    expect(await storedMailbox(setup.store)).toEqual(await readServer(imap)),
  )
  await expectWhole(setup)
  await expectMended(given)
})
