import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { filters } from '../../db/schema/filters.ts'
import { forwards } from '../../db/schema/forwards.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { queueForwards } from '../../workers/forwards.ts'
import { interactiveLanes } from '../../workers/interactive-lanes.ts'
import { sourceRefetch } from '../../workers/source-refetch.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { startLabSmtp } from '../lab/smtp.ts'
import { addAccount, shownMail, startSync, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { entries } from '../support/outgoing.ts'

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

/** Lines that no mail program would write: they have to arrive as they were. */
const ORIGINAL = Buffer.from(
  [
    'From: "Carol, of Sales" <carol@example.net>',
    'To: ada@example.org',
    'Subject: =?utf-8?q?Angebot_f=C3=BCr_Sie?=',
    'Message-ID: <original@example.net>',
    'Date: Sun, 1 Mar 2026 12:00:00 +0000',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Gr\u00fc\u00dfe, and trailing space: ',
    '.',
    'long '.repeat(150),
    'From here on.',
    '',
  ].join('\r\n'),
  'latin1',
)

/** Two accounts, each with a rule that forwards everything to the other, and a submission server that delivers. */
async function setUp() {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const users = [await dovecot.addUser(), await dovecot.addUser()] as const
  const smtp = await startLabSmtp({
    tls: 'none',
    users: Object.fromEntries(users.map(({ user, password }) => [user, password])),
  })
  onTestFinished(() => smtp.stop())
  for (const [index, user] of users.entries()) {
    const accountId = await addAccount(store, dovecot, user)
    const actions = [{ type: 'forward', arg: users[1 - index]?.email ?? '' } as const]
    const rule = {
      accountId,
      position: index + 1,
      enabled: true,
      conditions: [],
      actions,
      createdAt: 0,
    }
    await store.commit((write) => [
      write.update(accounts).set({ smtpPort: smtp.port }).where(eq(accounts.id, accountId)),
      write.insert(filters).values(rule),
    ])
  }
  return { store, users, smtp }
}

/** Does what a sidecar does with forwards, beside the sync; what it returns are its sources. */
function startForwarding(store: Store) {
  const ports = syncPorts(store)
  const wake = startSync(store, { ...ports })
  const lanes = interactiveLanes(ports)
  const sources = sourceRefetch(ports, lanes)
  const stopping = new AbortController()
  const ended = queueForwards(
    { ...ports, wake },
    { sidecarId: 'sidecar', sources },
    stopping.signal,
  )
  onTestFinished(async () => {
    stopping.abort()
    await ended
    await lanes.close()
  })
  return ports.sourceStore
}

const bothSynced = (store: Store) =>
  eventually(async () =>
    expect(await store.read.select().from(accounts)).toMatchObject([
      { state: 'ok' },
      { state: 'ok' },
    ]),
  )

test('a rule forwards a message with its original byte for byte, and two such rules come to an end', async () => {
  const { store, users, smtp } = await setUp()
  const [ada, bob] = users
  const sourceStore = startForwarding(store)
  await bothSynced(store)
  await dovecot.deliver(ada, ORIGINAL)
  await eventually(async () => expect(smtp.accepted).toHaveLength(1))
  const [sent] = smtp.accepted
  if (!sent) throw new Error('Nothing was sent.')
  expect(sent).toMatchObject({ user: ada.user, smtpEnvelope: { from: ada.email, to: [bob.email] } })
  const text = sent.source.toString('latin1')
  expect(text).toMatch(new RegExp(`^X-Svc-Forwarded-By: ${ada.email}\r$`, 'm'))
  expect(text).toMatch(/^Auto-Submitted: auto-forwarded\r$/m)
  expect(text).toMatch(/^Reply-To: .*carol@example\.net/m)
  const [entry] = await entries(store)
  expect(entry?.message.subject).toBe('Fwd: Angebot für Sie')
  const [arrived] = await store.read.select({ hash: contents.sourceHash }).from(contents)
  const original = await sourceStore.get(arrived?.hash ?? '')
  expect(text).toContain(Buffer.from(original ?? []).toString('latin1'))

  await dovecot.deliver(bob, sent.source)
  await eventually(async () => expect((await shownMail(store)).length).toBeGreaterThanOrEqual(3))
  await sleep(1_500)
  expect(await store.read.select().from(forwards)).toEqual([])
  expect(smtp.accepted).toHaveLength(1)
})
