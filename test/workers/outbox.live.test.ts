import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import { accountPrompts } from '../../workers/account-prompts.ts'
import { sendOutbox } from '../../workers/outbox.ts'
import { startLabSmtp } from '../lab/smtp.ts'
import { addAccount, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { entries, type Queued, queueOutgoing } from '../support/outgoing.ts'
import { recordingLogger } from '../support/recording-logger.ts'

const MINUTE_MS = 60_000
const LATER = { code: 450, text: 'Mailbox busy' }
const USER = { user: 'ada', email: 'ada@example.org', password: 'correct-horse' }

/** An account whose messages go to a submission server; time can be skipped. */
async function setUp(password = USER.password) {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const smtp = await startLabSmtp({ tls: 'none', users: { [USER.user]: USER.password } })
  onTestFinished(() => smtp.stop())
  const accountId = await addAccount(store, { host: smtp.host, imapPort: 1 }, { ...USER, password })
  await store.commit((write) => [
    write.update(accounts).set({ smtpPort: smtp.port }).where(eq(accounts.id, accountId)),
  ])
  let skippedMs = 0
  const clock = { ...systemClock, now: () => new Date(Date.now() + skippedMs) }
  const logger = recordingLogger()
  const ports = syncPorts(store, { clock, logger })
  const stopping = new AbortController()
  const running = { sidecarId: 'here', prompts: accountPrompts() }
  const ended = sendOutbox(ports, running, stopping.signal)
  onTestFinished(async () => {
    stopping.abort()
    await ended
    await ports.submission.close()
  })
  const queue = async (queued: Partial<Queued> = {}) => {
    const message = { cc: [{ address: 'eve@example.net' }] }
    await queueOutgoing(store, { accountId, nowMs: clock.now().getTime(), message, ...queued })
    ports.wake.now('outbox')
  }
  const skip = (ms: number) => {
    skippedMs += ms
    ports.wake.now('outbox')
  }
  const became = (row: object) =>
    eventually(async () => expect(await entries(store)).toMatchObject([row]))
  return { store, smtp, logger, queue, skip, became }
}

test('recipients who are refused while others are not', async () => {
  const { smtp, queue, became } = await setUp()
  const nobody = { code: 550, text: 'No such user' }
  smtp.refuse({ rcptTo: (address) => (address.startsWith('eve') ? nobody : undefined) })
  await queue({ isImmediate: true })
  await became({
    status: 'sent',
    refused: [
      { address: 'eve@example.net', smtpCode: 550, message: expect.any(String) as unknown },
    ],
  })
  expect(smtp.accepted).toMatchObject([{ smtpEnvelope: { to: ['bob@example.net'] } }])
})

test('who is refused for now is not tried again where somebody waits', async () => {
  const { smtp, queue, became } = await setUp()
  smtp.refuse({ rcptTo: (address) => (address.startsWith('eve') ? LATER : undefined) })
  await queue({ isImmediate: true })
  await became({ status: 'sent', waiting: null, refused: [{ smtpCode: 450 }], attempts: 1 })
})

test('who is refused for now gets the same message later, and nobody gets it twice', async () => {
  const { smtp, queue, skip, became } = await setUp()
  const refuse = (...names: readonly string[]) =>
    smtp.refuse({
      rcptTo: (address) => (names.some((name) => address.startsWith(name)) ? LATER : undefined),
    })
  refuse('eve', 'zed')
  const bcc = [{ address: 'zed@example.net' }]
  await queue({ message: { cc: [{ name: 'Eve', address: 'eve@example.net' }], bcc } })
  await became({
    status: 'scheduled',
    claimedBy: null,
    attempts: 1,
    copy: 'wanted',
    waiting: [{ address: 'eve@example.net' }, { address: 'zed@example.net' }],
    error: expect.stringContaining('eve@example.net (450 Mailbox busy)') as unknown,
  })
  skip(2 * MINUTE_MS)
  await became({ status: 'scheduled', claimedBy: null, attempts: 2 })
  refuse('zed')
  skip(3 * MINUTE_MS)
  await became({ status: 'scheduled', claimedBy: null, attempts: 3, waiting: [{ smtpCode: 450 }] })
  refuse()
  skip(6 * MINUTE_MS)
  await became({ status: 'sent', waiting: null, refused: [], error: null, attempts: 4 })
  expect(smtp.accepted.map(({ smtpEnvelope }) => smtpEnvelope.to)).toEqual([
    ['bob@example.net'],
    ['eve@example.net'],
    ['zed@example.net'],
  ])
  const [first, ...others] = smtp.accepted.map(({ source }) => source.toString('latin1'))
  expect(others).toEqual([first, first])
})

test('a refusal for good, in the words of the server', async () => {
  const { smtp, queue, became } = await setUp()
  smtp.refuse({ data: { code: 554, text: 'Looks like spam' } })
  await queue()
  await became({
    status: 'failed',
    failure: 'refused',
    smtpCode: 554,
    error: expect.stringContaining('Looks like spam') as unknown,
    attempts: 1,
  })
})

test.each(['mailFrom', 'data'] as const)(
  'a refusal for now (%s) is tried again until the server takes it',
  async (moment) => {
    const { smtp, queue, skip, became } = await setUp()
    smtp.refuse({ [moment]: { code: 451, text: 'Try again later' } })
    await queue()
    await became({ status: 'scheduled', claimedBy: null, attempts: 1, smtpCode: 451 })
    skip(2 * MINUTE_MS)
    await became({ status: 'scheduled', claimedBy: null, attempts: 2, smtpCode: 451 })
    smtp.refuse({})
    skip(3 * MINUTE_MS)
    await became({ status: 'sent', error: null, smtpCode: null })
    expect(smtp.accepted).toHaveLength(1)
  },
)

test('a refusal for now is final where somebody waits', async () => {
  const { smtp, queue, became } = await setUp()
  smtp.refuse({ data: { code: 451, text: 'Try again later' } })
  await queue({ isImmediate: true })
  await became({ status: 'failed', failure: 'refused', smtpCode: 451, attempts: 1 })
})

test('a login that is refused is tried again, and nothing repeats the password', async () => {
  const { store, logger, queue, skip, became } = await setUp('battery-staple')
  await queue()
  await became({ status: 'scheduled', claimedBy: null, attempts: 1, smtpCode: 535 })
  skip(2 * MINUTE_MS)
  await became({ status: 'scheduled', claimedBy: null, attempts: 2, smtpCode: 535 })
  expect(JSON.stringify([await entries(store), logger.lines])).not.toContain('battery-staple')
})

test('a server that cannot be reached is tried again', async () => {
  const { store, smtp, queue, skip, became } = await setUp()
  await store.commit((write) => [write.update(accounts).set({ smtpPort: 1 })])
  await queue()
  await became({ status: 'scheduled', claimedBy: null, attempts: 1 })
  await store.commit((write) => [write.update(accounts).set({ smtpPort: smtp.port })])
  skip(2 * MINUTE_MS)
  await became({ status: 'sent' })
})
