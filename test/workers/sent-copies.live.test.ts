import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { outgoingAttachments } from '../../db/schema/attachment-data.ts'
import { events } from '../../db/schema/events.ts'
import { notices } from '../../db/schema/notices.ts'
import { storeAttachmentBytes } from '../../domain/submission/attachment-data.ts'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { MailServer, MailSession } from '../../runtime/ports/mail-server.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { startLabCourier } from '../lab/courier.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { startGmail } from '../lab/gmail-imap.ts'
import type { LabServer, LabUser } from '../lab/lab-server.ts'
import { startLabSmtp } from '../lab/smtp.ts'
import { addAccount, shownMail, startSync, synced, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { entries, type Queued, queueOutgoing } from '../support/outgoing.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail } from '../support/small-mail.ts'

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

type SentCopy = 'auto' | 'always' | 'never'

/** An account with these settings, and a submission server that takes what it sends. */
async function setUp<User extends LabUser>(
  server: Pick<LabServer, 'host' | 'imapPort'>,
  user: User,
  sentCopy: SentCopy = 'auto',
) {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const smtp = await startLabSmtp({ tls: 'none', users: { [user.user]: user.password } })
  onTestFinished(() => smtp.stop())
  const accountId = await addAccount(store, server, user)
  await store.commit((write) => [
    write.update(accounts).set({ smtpPort: smtp.port, sentCopy }).where(eq(accounts.id, accountId)),
  ])
  const queue = (queued: Partial<Queued> = {}) =>
    queueOutgoing(store, {
      accountId,
      nowMs: Date.now(),
      message: { from: { address: user.email } },
      ...queued,
    })
  return { store, smtp, user, queue }
}

const onDovecot = async (sentCopy: SentCopy = 'auto') =>
  setUp(dovecot, await dovecot.addUser(), sentCopy)

const told = async (store: Store) =>
  (await store.read.select().from(events).orderBy(events.id)).map(({ kind }) => kind)

const isFiled = (store: Store) =>
  eventually(async () =>
    expect(await entries(store)).toMatchObject([{ status: 'sent', copy: 'filed' }]),
  )

/** IMAP servers whose APPEND does what a test wants. */
function appending(
  append: (
    session: MailSession,
    ...args: Parameters<MailSession['append']>
  ) => ReturnType<MailSession['append']>,
): MailServer {
  const server = imapflowMailServer({ metrics: memoryMetrics() })
  return {
    async connect(settings, options) {
      const session = await server.connect(settings, options)
      return new Proxy(session, {
        get(target, name) {
          if (name === 'append')
            return (...args: Parameters<MailSession['append']>) => append(target, ...args)
          const value: unknown = Reflect.get(target, name, target)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      })
    },
  }
}

test('a copy of what was sent is one row in Sent and is told once, long before Sent is looked at anyway', async () => {
  const { store, smtp, user, queue } = await onDovecot()
  const wake = startSync(store)
  await synced(store)
  const attachment = await storeAttachmentBytes(syncPorts(store), {
    filename: 'a.bin',
    contentType: 'application/octet-stream',
    bytes: Uint8Array.of(0, 1, 2),
  })
  // Until whole passes may follow one another again: that of the first sync has just ended.
  await sleep(1_000)
  const begunMs = performance.now()
  await queue({ attachments: [attachment] })
  wake.now('outbox')
  await eventually(async () => expect(await told(store)).toEqual(['message.sent']))
  // Which is every half minute.
  expect(performance.now() - begunMs).toBeLessThan(10_000)
  await isFiled(store)
  expect(await shownMail(store)).toMatchObject([{ path: 'Sent', subject: 'Lunch', read: true }])
  expect(await store.read.select().from(outgoingAttachments)).toEqual([])

  const client = await dovecot.secondClient(user)
  await client.mailboxOpen('Sent')
  const copy = await client.fetchOne('1', { source: true, flags: true, internalDate: true })
  if (!copy) throw new Error('There is no copy.')
  expect(copy.source?.toString('latin1')).toBe(smtp.accepted[0]?.source.toString('latin1'))
  const [entry] = await entries(store)
  const secondOf = (ms: number) => Math.floor(ms / 1_000)
  expect(secondOf(new Date(copy.internalDate ?? 0).getTime())).toBe(secondOf(entry?.date ?? 0))
})

test('an APPEND whose answer never came is not repeated', async () => {
  const { store, queue } = await onDovecot()
  let appends = 0
  const mailServer = appending(async (session, ...args) => {
    appends += 1
    await session.append(...args)
    await session.close()
    throw new MailServerError('unreachable', 'The connection was cut.', { retryable: true })
  })
  const wake = startSync(store, { mailServer })
  await synced(store)
  await queue()
  wake.now('outbox')
  await isFiled(store)
  await eventually(async () => expect(await told(store)).toEqual(['message.sent']))
  expect(appends).toBe(1)
  expect(await shownMail(store)).toMatchObject([{ path: 'Sent', subject: 'Lunch' }])
})

test('an APPEND that never arrived is repeated', async () => {
  const { store, queue } = await onDovecot()
  let appends = 0
  const mailServer = appending(async (session, ...args) => {
    appends += 1
    if (appends > 1) return session.append(...args)
    await session.close()
    throw new MailServerError('unreachable', 'The connection was cut.', { retryable: true })
  })
  const wake = startSync(store, { mailServer })
  await synced(store)
  await queue()
  wake.now('outbox')
  await isFiled(store)
  await eventually(async () => expect(await shownMail(store)).toMatchObject([{ path: 'Sent' }]))
  expect(appends).toBe(2)
})

test('a copy that the server refuses for good is given up, and the owner hears of it', async () => {
  const { store, queue } = await onDovecot()
  const mailServer = appending(() => {
    throw new MailServerError('refused', 'Over quota', { retryable: false, code: 'OVERQUOTA' })
  })
  const wake = startSync(store, { mailServer })
  await synced(store)
  await queue()
  wake.now('outbox')
  await eventually(async () =>
    expect(await entries(store)).toMatchObject([{ status: 'sent', copy: 'given_up' }]),
  )
  expect(await store.read.select().from(notices)).toMatchObject([
    { text: '"Lunch" was sent, but the mail server refused its copy: Over quota' },
  ])
})

test('no copy is filed where the account says so', async () => {
  const { store, queue } = await onDovecot('never')
  const wake = startSync(store)
  await synced(store)
  await queue()
  wake.now('outbox')
  await eventually(async () =>
    expect(await entries(store)).toMatchObject([{ status: 'sent', copy: 'none' }]),
  )
  expect(await told(store)).toEqual([])
  expect(await shownMail(store)).toEqual([])
})

test.each<[SentCopy, string, number]>([
  ['auto', 'none', 1],
  ['always', 'filed', 2],
])('Gmail files what it sends itself: with "%s" the copy is %s', async (sentCopy, copy, count) => {
  const gmail = await startGmail()
  onTestFinished(() => gmail.stop())
  const { store, smtp, queue } = await setUp(gmail, await gmail.addUser(), sentCopy)
  const wake = startSync(store, { clock: scaledClock(1) })
  await synced(store)
  await queue()
  wake.now('outbox')
  await eventually(async () => expect(smtp.accepted).toHaveLength(1))
  gmail.deliver(smallMail('what Gmail filed'), { labels: ['\\Sent'] })
  await eventually(async () => expect(await entries(store)).toMatchObject([{ copy }]))
  await eventually(async () => expect(await shownMail(store)).toHaveLength(count))
  expect(gmail.state()).toHaveLength(count)
})

test('an account without a Sent folder gets one, where its server keeps folders', async () => {
  const courier = await startLabCourier()
  onTestFinished(() => courier.stop())
  const { store, queue } = await setUp(courier, await courier.addUser())
  const wake = startSync(store)
  await synced(store)
  await queue()
  wake.now('outbox')
  await isFiled(store)
  await eventually(async () => expect(await told(store)).toEqual(['message.sent']))
  expect(await shownMail(store)).toMatchObject([{ path: 'INBOX.Sent', subject: 'Lunch' }])
})
