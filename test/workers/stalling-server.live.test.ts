import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { changeMessage } from '../../domain/messages/change.ts'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { type HostileRequest, type Misbehaviour, startHostileImap } from '../lab/hostile-imap.ts'
import { interactiveLanes } from '../../workers/interactive-lanes.ts'
import { sourceRefetch } from '../../workers/source-refetch.ts'
import { addAccount, startSync, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'
import { threadCpuMs } from '../support/thread-cpu-ms.ts'

const CONNECTIONS_MAX = 8
const PATIENCE = {
  connectMs: 400,
  greetingMs: 300,
  silenceMs: 400,
  commandMs: 1_200,
  sourceBytesPerSecond: 8 * 1024,
}
/** Impatient, so that the test need not wait; the order in which patience ends is the real one. */
const mailServer = imapflowMailServer({
  metrics: memoryMetrics(),
  patience: PATIENCE,
})

async function setUp(misbehaviour: Misbehaviour = {}, server = mailServer) {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  await addAccount(store, imap, imap.user)
  imap.behave(misbehaviour)
  const wake = startSync(store, { clock: scaledClock(300), mailServer: server })
  return { imap, store, wake }
}

const account = async (store: Store) => (await store.read.select().from(accounts))[0]
const isIdle = ({ command }: HostileRequest) => command === 'IDLE' || command === 'DONE'

const silentAt =
  (command: string) =>
  (request: HostileRequest, honest: string): string =>
    request.command === command ? '' : honest

const STALLS: readonly (readonly [string, Misbehaviour])[] = [
  ['never greets', { greeting: null }],
  ['falls silent at the login', { answer: silentAt('LOGIN') }],
  ['falls silent at LIST', { answer: silentAt('LIST') }],
  ['falls silent at SELECT', { answer: silentAt('SELECT') }],
  ['falls silent at FETCH', { answer: silentAt('UID FETCH') }],
  [
    'falls silent in the middle of a message',
    {
      answer: (_request, honest) =>
        honest.includes('BODY[]') ? honest.slice(0, honest.indexOf('Text.')) : honest,
    },
  ],
  ['drips a message for ever', { dripMs: (text) => (text.includes('BODY[]') ? 100 : undefined) }],
]

test.for(STALLS)(
  'a server that %s: the account says so, nothing hammers, and then all is right',
  async ([, misbehaviour]) => {
    const { imap, store } = await setUp(misbehaviour)
    await eventually(
      async () =>
        expect(await account(store)).toMatchObject({
          state: 'error',
          error: expect.stringMatching(/too long|time/i),
        }),
      60_000,
    )
    expect(imap.connections()).toBeLessThan(CONNECTIONS_MAX)
    imap.behave({})
    await eventually(async () => expect(await storedMailbox(store)).toEqual(imap.mailbox()), 60_000)
  },
)

test('a server that falls silent while it idles is noticed, and the next connection is right', async () => {
  const { imap, store } = await setUp()
  await eventually(async () => expect(await storedMailbox(store)).toEqual(imap.mailbox()), 60_000)
  const before = imap.connections()
  imap.behave({ answer: (request, honest) => (isIdle(request) ? honest : '') })
  await eventually(
    async () => expect(await account(store)).toMatchObject({ state: 'error' }),
    60_000,
  )
  imap.behave({})
  await eventually(async () => expect(await account(store)).toMatchObject({ state: 'ok' }), 60_000)
  expect(imap.connections() - before).toBeLessThan(CONNECTIONS_MAX)
})

test('while a command of the sync is not answered, mail is read and changed over another connection (peer: EmailEngine #52, #70)', async () => {
  const patience = { ...PATIENCE, silenceMs: 1_500, commandMs: 5_000 }
  const patient = imapflowMailServer({ metrics: memoryMetrics(), patience })
  const { imap, store, wake } = await setUp({}, patient)
  await eventually(async () => expect(await storedMailbox(store)).toEqual(imap.mailbox()), 60_000)
  await eventually(async () => expect(await account(store)).toMatchObject({ state: 'ok' }))
  let isStuck = false
  const onlyOpenConnections = 0
  imap.behave(
    {
      answer(request, honest) {
        if (request.command !== 'UID FETCH') return honest
        isStuck = true
        return ''
      },
    },
    onlyOpenConnections,
  )
  await eventually(async () => expect(isStuck).toBe(true))

  const ports = { ...syncPorts(store, { mailServer: patient }), wake }
  const lanes = interactiveLanes(ports)
  onTestFinished(() => lanes.close())
  const [content] = await store.read.select().from(contents)
  const startedAtMs = performance.now()
  expect(await sourceRefetch(ports, lanes).get(content?.sourceHash ?? '')).toBeDefined()
  const [message] = await store.read.select().from(messages)
  await changeMessage(ports, { messageId: message?.id ?? 0, change: { read: false } })
  expect(performance.now() - startedAtMs).toBeLessThan(1_000)
  await eventually(async () => expect(await store.read.select().from(mailboxChanges)).toEqual([]))
  await eventually(async () => expect(await account(store)).toMatchObject({ state: 'ok' }))
})

test('a server that names four billion UIDs as vanished neither stops the process nor the account', async () => {
  const { imap, store } = await setUp({
    answer: (request, honest) =>
      request.command === 'UID FETCH' ? `* VANISHED (EARLIER) 1:4294967295\r\n${honest}` : honest,
  })
  let longestMs = 0
  let last = threadCpuMs()
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, threadCpuMs() - last)
    last = threadCpuMs()
  }, 5)
  onTestFinished(() => clearInterval(timer))
  await eventually(
    async () => expect(await account(store)).toMatchObject({ state: 'error' }),
    60_000,
  )
  expect(longestMs).toBeLessThan(250)
  imap.behave({})
  await eventually(async () => expect(await storedMailbox(store)).toEqual(imap.mailbox()), 60_000)
}, 90_000)
