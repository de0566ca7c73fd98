import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { type HostileRequest, startHostileImap } from '../lab/hostile-imap.ts'
import { addAccount, shownMail, startSync, synced, whileSyncing } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { recordingLogger } from '../support/recording-logger.ts'
import { scaledClock } from '../support/scaled-clock.ts'

const ALL = 8
const FAST = { clock: scaledClock(300) }

async function setUp() {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  await addAccount(store, imap, imap.user)
  return { imap, store }
}

const account = async (store: Store) => (await store.read.select().from(accounts))[0]
const ids = async (store: Store) => (await shownMail(store)).map(({ id }) => id)
const allThere = (store: Store) =>
  eventually(async () => expect(await shownMail(store)).toHaveLength(ALL))
const isList = ({ command, args }: HostileRequest) => command === 'LIST' && !args.endsWith('""')

describe('is not hammered: a server', () => {
  test.each([
    ['that ends every IDLE at once', ({ tag }: HostileRequest) => `+ idling\r\n${tag} OK Done\r\n`],
    ['that throttles every IDLE', ({ tag }: HostileRequest) => `${tag} NO [THROTTLED] Slow\r\n`],
  ])('%s', async (_, idle) => {
    const { imap, store } = await setUp()
    let commands = 0
    imap.behave({
      answer(request, honest) {
        commands += 1
        return request.command === 'IDLE' ? idle(request) : honest
      },
    })
    startSync(store)
    await synced(store)
    await sleep(300)
    commands = 0
    await sleep(1_500)
    expect(commands).toBeLessThan(20)
  })

  test('that says of one folder that the client asks too much', async () => {
    const { imap, store } = await setUp()
    imap.behave({
      answer: ({ command, args, tag }, honest) =>
        command === 'SELECT' && args.includes('Work') ? `${tag} NO [LIMIT] Slow down\r\n` : honest,
    })
    startSync(store, FAST)
    await eventually(async () =>
      expect(await account(store)).toMatchObject({ state: 'error', error: 'Slow down' }),
    )
  })

  test('that never delivers a message it counts', async () => {
    const { imap, store } = await setUp()
    let searches = 0
    let idles = 0
    imap.behave({
      answer({ command }, honest) {
        if (command === 'UID SEARCH') searches += 1
        if (command === 'IDLE') idles += 1
        return command === 'UID FETCH'
          ? honest.replace(/BODY\[\] \{\d+\}\r\nSubject: INBOX 0[^]*?Text\.\r\n/g, 'BODY[] NIL')
          : honest
      },
    })
    startSync(store, { clock: scaledClock(60) })
    await synced(store)
    await eventually(async () => expect(idles).toBeGreaterThan(1))
    searches = 0
    idles = 0
    await eventually(async () => expect(idles).toBeGreaterThan(4))
    expect(searches).toBe(0)
  })
})

describe('is synced all the same: a server', () => {
  test('that lists a mailbox twice', async () => {
    const { imap, store } = await setUp()
    imap.behave({
      answer: (request, honest) =>
        request.command === 'LIST' ? honest.replace(/(\* LIST .* Work\r\n)/, '$1$1') : honest,
    })
    startSync(store, FAST)
    await allThere(store)
    await synced(store)
  })

  test('that answers every FETCH twice', async () => {
    const { imap, store } = await setUp()
    imap.behave({
      answer: ({ command }, honest) =>
        command === 'UID FETCH' ? honest.replace(/^(\* [^]*)(?=^\S+ OK)/m, '$1$1') : honest,
    })
    startSync(store, FAST)
    await allThere(store)
    await synced(store)
  })

  test('that speaks of a message without its UID while sizes are asked for', async () => {
    const { imap, store } = await setUp()
    imap.behave({
      answer: ({ command, args }, honest) =>
        command === 'UID FETCH' && args.includes('RFC822.SIZE')
          ? honest.replace(/(?=^\S+ OK)/m, '* 1 FETCH (FLAGS (\\Seen))\r\n')
          : honest,
    })
    startSync(store, FAST)
    await allThere(store)
    await synced(store)
  })

  test('that speaks of a message without its flags', async () => {
    const { imap, store } = await setUp()
    let asked = 0
    imap.behave({
      answer({ command, args }, honest) {
        if (command !== 'UID FETCH' || /BODY|SIZE/.test(args)) return honest
        asked += 1
        return honest.replace(/(?=^\S+ OK)/m, '* 1 FETCH (UID 1 MODSEQ (77))\r\n')
      },
    })
    startSync(store, FAST)
    await allThere(store)
    await eventually(async () => expect(asked).toBeGreaterThan(4))
    const rows = await store.read.select().from(messages)
    expect(rows.map(({ read, starred }) => read && starred)).toEqual(rows.map(() => true))
  })

  test('that ends the connection whenever one folder is opened: the others are watched', async () => {
    const { imap, store } = await setUp()
    let idles = 0
    imap.behave({
      answer({ command, args }, honest) {
        if (command === 'IDLE') idles += 1
        return command === 'SELECT' && args.includes('Work') ? undefined : honest
      },
    })
    startSync(store, FAST)
    await eventually(async () => expect(idles).toBeGreaterThan(0))
    await synced(store)
  })
})

test('a LIST without a single mailbox, not even INBOX, removes no mail', async () => {
  const { imap, store } = await setUp()
  await whileSyncing(store, () => allThere(store), FAST)
  const before = await ids(store)
  imap.behave({
    answer: (request, honest) => (isList(request) ? `${request.tag} OK Done\r\n` : honest),
  })
  const isRefused = async () =>
    expect(await account(store)).toMatchObject({ error: 'The server listed no INBOX.' })
  await whileSyncing(store, () => eventually(isRefused), FAST)
  imap.behave({})
  await whileSyncing(store, () => synced(store), FAST)
  expect(await ids(store)).toEqual(before)
})

test('a folder that is always refused makes no later pass a first sync', async () => {
  const { imap, store } = await setUp()
  let passes = 0
  imap.behave({
    answer(request, honest) {
      if (isList(request)) passes += 1
      const isWork = request.command === 'SELECT' && request.args.includes('Work')
      return isWork ? `${request.tag} NO [NOPERM] No\r\n` : honest
    },
  })
  startSync(store, { clock: scaledClock(600) })
  await synced(store)
  const states = new Set<string | undefined>()
  const second = passes + 2
  await eventually(async () => {
    states.add((await account(store))?.state)
    expect(passes).toBeGreaterThanOrEqual(second)
  })
  expect(states).toEqual(new Set(['ok']))
})

test.each([
  ['is cut', undefined, /ended|closed/i],
  ['ends with BYE', '* BYE Maintenance until noon\r\n', /Maintenance until noon/],
])('the log says why an idling connection ended: it %s', async (_, end, words) => {
  const { imap, store } = await setUp()
  let isEnded = false
  imap.behave({
    answer(request, honest) {
      if (request.command !== 'IDLE' || isEnded) return honest
      isEnded = true
      return end
    },
  })
  const logger = recordingLogger()
  startSync(store, { logger })
  await eventually(async () => expect(logger.lines.length).toBeGreaterThan(0))
  expect(JSON.stringify(logger.lines[0])).toMatch(words)
})
