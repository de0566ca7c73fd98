import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import type { Store } from '../../runtime/ports/store.ts'
import {
  type HostileImap,
  type HostileRequest,
  type Misbehaviour,
  startHostileImap,
} from '../lab/hostile-imap.ts'
import { addAccount, startSync, whileSyncing } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'

const isLong = process.env['SVC_TEST_LONG'] === '1'
const CLOCK = { clock: scaledClock(300) }
/** What waiting twice as long each time comes to in the time a test watches, with room to spare. */
const CONNECTIONS_MAX = 12
const MEMORY_GROWTH_MAX = 150 * 1024 * 1024
const HUGE = 4 * 1024 ** 3

async function setUp() {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  await addAccount(store, imap, imap.user)
  return { imap, store }
}

const account = async (store: Store) => (await store.read.select().from(accounts))[0]

const isRight = (store: Store, imap: HostileImap) =>
  eventually(async () => {
    expect(await storedMailbox(store)).toEqual(imap.mailbox())
    expect(await account(store)).toMatchObject({ state: 'ok', error: null })
  }, 60_000)

/** What memory grew by at most while `work` ran. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5)
  await work().finally(() => clearInterval(timer))
  return peak - before
}

const to =
  (command: string, change: (honest: string, request: HostileRequest) => string) =>
  (request: HostileRequest, honest: string) =>
    request.command === command ? change(honest, request) : honest

const no =
  (words: string) =>
  (_honest: string, { tag }: HostileRequest) =>
    `${tag} NO ${words}\r\n`
const isSource = (honest: string) => honest.includes('BODY[]')

const FAILURES: readonly (readonly [string, Misbehaviour, RegExp])[] = [
  [
    'greets with BYE',
    { greeting: '* BYE [UNAVAILABLE] Maintenance until noon' },
    /Maintenance until noon/,
  ],
  [
    'refuses the login for now',
    { answer: to('LOGIN', no('[UNAVAILABLE] Directory is down')) },
    /Directory is down/,
  ],
  [
    'has too many logins',
    { answer: to('LOGIN', no('[LIMIT] Too many connections')) },
    /Too many connections/,
  ],
  [
    'refuses the login',
    { answer: to('LOGIN', no('[AUTHENTICATIONFAILED] Wrong password')) },
    /Wrong password/,
  ],
  ['refuses LIST', { answer: to('LIST', no('[SERVERBUG] Index is broken')) }, /Index is broken/],
  [
    'says BYE to LIST',
    { answer: to('LIST', () => '* BYE Idle for too long\r\n') },
    /Idle for too long/,
  ],
  [
    'says BYE to FETCH',
    { answer: to('UID FETCH', () => '* BYE Shutting down\r\n') },
    /Shutting down/,
  ],
  [
    'announces 4 GB',
    {
      answer: to('UID FETCH', (honest) =>
        isSource(honest) ? `* 1 FETCH (UID 1 BODY[] {${HUGE}}\r\n${'x'.repeat(65_536)}` : honest,
      ),
    },
    /./,
  ],
  ['refuses every SELECT', { answer: to('SELECT', no('[LIMIT] Slow down')) }, /Slow down/],
  [
    'refuses every FETCH',
    { answer: to('UID FETCH', no('[OVERQUOTA] Too much today')) },
    /Too much today/,
  ],
  [
    'refuses every SEARCH',
    { answer: to('UID SEARCH', no('[UNAVAILABLE] Not now')) },
    /refused a search/,
  ],
  ['ends every connection', { answer: () => undefined }, /./],
]

test.for(FAILURES)(
  'a server that %s: the account says so, nothing hammers, and then all is right',
  async ([, misbehaviour, words]) => {
    const { imap, store } = await setUp()
    imap.behave(misbehaviour)
    startSync(store, CLOCK)
    const growth = await growthDuring(async () => {
      await eventually(async () =>
        expect(await account(store)).toMatchObject({
          state: 'error',
          error: expect.stringMatching(words),
        }),
      )
      await new Promise((resolve) => setTimeout(resolve, 300))
    })
    expect(growth).toBeLessThan(MEMORY_GROWTH_MAX)
    expect(imap.connections()).toBeLessThan(CONNECTIONS_MAX)
    imap.behave({})
    await isRight(store, imap)
  },
)

const ODDITIES: readonly (readonly [string, Misbehaviour])[] = [
  [
    'floods with untagged responses',
    { answer: (_request, honest) => '* OK Still here\r\n'.repeat(10_000) + honest },
  ],
  [
    'floods with EXISTS',
    { answer: to('UID FETCH', (honest) => '* 5 EXISTS\r\n'.repeat(10_000) + honest) },
  ],
  [
    'lets UIDNEXT go backwards',
    { answer: to('SELECT', (honest) => honest.replace(/UIDNEXT \d+/, 'UIDNEXT 1')) },
  ],
  [
    'sends no UIDNEXT',
    { answer: to('SELECT', (honest) => honest.replace(/\* OK \[UIDNEXT.*\r\n/, '')) },
  ],
  [
    'answers every FETCH twice',
    { answer: to('UID FETCH', (honest) => honest.replace(/^(\* [^]*)(?=^\S+ OK)/m, '$1$1')) },
  ],
  ['expunges during FETCH', { answer: to('UID FETCH', (honest) => `* 1 EXPUNGE\r\n${honest}`) }],
  [
    'lets EXISTS shrink',
    { answer: to('UID FETCH', (honest) => honest.replace(/(?=^\S+ OK)/m, '* 2 EXISTS\r\n')) },
  ],
  [
    'sends NIL for every source',
    {
      answer: to('UID FETCH', (honest) =>
        honest.replaceAll(/BODY\[\] \{(\d+)\}\r\n[^]*?Text\.\r\n/g, 'BODY[] NIL'),
      ),
    },
  ],
  [
    'sends NIL for dates and flags',
    {
      answer: to('UID FETCH', (honest) =>
        honest
          .replaceAll(/INTERNALDATE "[^"]*"/g, 'INTERNALDATE NIL')
          .replaceAll(/FLAGS \([^)]*\)/g, 'FLAGS NIL'),
      ),
    },
  ],
  [
    'sends tags that nobody asked for',
    { answer: (_request, honest) => `zz99 OK Hello\r\n${honest}` },
  ],
]

test.for(ODDITIES)(
  'a server that %s: memory is bounded, nothing hammers, and then all is right',
  async ([, misbehaviour]) => {
    const { imap, store } = await setUp()
    imap.behave(misbehaviour)
    startSync(store, CLOCK)
    const growth = await growthDuring(async () => {
      await eventually(async () => expect((await account(store))?.state).not.toBe('syncing'))
      await new Promise((resolve) => setTimeout(resolve, 300))
    })
    expect(growth).toBeLessThan(MEMORY_GROWTH_MAX)
    expect(imap.connections()).toBeLessThan(CONNECTIONS_MAX)
    imap.behave({})
    await isRight(store, imap)
  },
)

test('a server that drips its bytes is only slow', async () => {
  const { imap, store } = await setUp()
  imap.behave({ dripMs: () => 0 })
  startSync(store, CLOCK)
  await isRight(store, imap)
  expect(imap.connections()).toBe(1)
})

test('a connection that is cut when TLS begins is an error, and no password was sent', async () => {
  const { imap, store } = await setUp()
  const heard: string[] = []
  const capability = 'IMAP4rev1 IDLE STARTTLS'
  imap.behave({
    capability,
    answer(request, honest) {
      heard.push(request.command)
      return request.command === 'STARTTLS' ? undefined : honest
    },
  })
  const set = (imapTls: 'starttls' | 'none') =>
    store.commit((write) => [
      write
        .update(accounts)
        .set({ imapTls, settingsRevision: sql`${accounts.settingsRevision} + 1` }),
    ])
  await set('starttls')
  const wake = startSync(store, CLOCK)
  await eventually(async () => expect(await account(store)).toMatchObject({ state: 'error' }))
  expect(heard).toContain('STARTTLS')
  expect(heard).not.toContain('LOGIN')
  imap.behave({})
  await set('none')
  wake.now('accounts')
  await isRight(store, imap)
})

/** Syncs a new account while the server misbehaves on its first connection. */
async function syncAgainst(imap: HostileImap, misbehaviour: Misbehaviour): Promise<void> {
  const { store, remove } = await temporaryStore()
  try {
    await addAccount(store, imap, imap.user)
    const before = imap.connections()
    imap.behave(misbehaviour, 1)
    await whileSyncing(store, () => isRight(store, imap), CLOCK)
    expect(imap.connections() - before).toBeLessThanOrEqual(2)
  } finally {
    await remove()
  }
}

/** Every number up to `last`, or evenly spread ones where time is short. */
const upTo = (last: number, sample: number) => {
  const step = isLong ? 1 : Math.max(1, Math.floor(last / sample))
  return Array.from({ length: Math.floor(last / step) }, (_, index) => index * step + 1)
}

test(
  'cut off at any byte, the next connection makes all right',
  async () => {
    const imap = await startHostileImap()
    onTestFinished(() => imap.stop())
    await syncAgainst(imap, {})
    const session = imap.bytesSent()
    expect(session).toBeGreaterThan(1_000)
    for (const bytesMax of upTo(session, 40)) await syncAgainst(imap, { bytesMax })
  },
  isLong ? 900_000 : 300_000,
)

test('a BYE in answer to any command: the next connection makes all right', async () => {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  let commands = 0
  const count = (request: HostileRequest, honest: string) => {
    commands = Math.max(commands, request.number)
    return honest
  }
  await syncAgainst(imap, { answer: count })
  expect(commands).toBeGreaterThan(8)
  for (let number = 1; number <= commands; number += 1) {
    const answer = (request: HostileRequest, honest: string) =>
      request.number === number ? '* BYE Shutting down\r\n' : honest
    await syncAgainst(imap, { answer })
  }
})
