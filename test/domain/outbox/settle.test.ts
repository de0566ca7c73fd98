import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../../db/schema/accounts.ts'
import { outgoingAttachments } from '../../../db/schema/attachment-data.ts'
import { changes } from '../../../db/schema/changes.ts'
import { drafts } from '../../../db/schema/drafts.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { claimDue } from '../../../domain/outbox/claim.ts'
import { failAbandoned } from '../../../domain/outbox/fail-abandoned.ts'
import { beginHandover } from '../../../domain/outbox/hold-claim.ts'
import type { Failure, Outcome } from '../../../domain/outbox/outcome.ts'
import { settle } from '../../../domain/outbox/settle.ts'
import { storeAttachmentBytes } from '../../../domain/submission/attachment-data.ts'
import { mailToChange } from '../../support/mail-to-change.ts'
import { entries, type Queued, queueOutgoing } from '../../support/outgoing.ts'

async function setUp(queued: Partial<Queued> = {}) {
  const mail = await mailToChange()
  onTestFinished(() => mail[Symbol.asyncDispose]())
  const { runtime, clock } = mail.h
  const { store } = runtime
  const attachment = await storeAttachmentBytes(runtime, {
    filename: 'a.txt',
    contentType: 'text/plain',
    bytes: new Uint8Array(3),
  })
  const nowMs = clock.now().getTime()
  const { id: accountId } = mail.account
  await queueOutgoing(store, { accountId, nowMs, attachments: [attachment], ...queued })
  const claiming = { sidecarId: 'here', underway: [], restingAccountIds: [], readyAccountIds: [] }
  const {
    claimed: [entry],
  } = await claimDue(runtime, claiming)
  if (!entry) throw new Error('Nothing was claimed.')
  return {
    mail,
    runtime,
    store,
    clock,
    entry,
    entries: () => entries(store),
    attached: () => store.read.select().from(outgoingAttachments),
    expire: () =>
      store.commit((write) => [
        write.update(outbox).set({ claimedUntil: sql`claimed_until - 31000` }),
      ]),
  }
}

const SENT: Outcome = { kind: 'sent', refused: [] }
const failed = (failure: Partial<Failure> = {}): Outcome => ({
  kind: 'failed',
  failure: { failure: 'not_sent', error: 'No route to host', isFinal: false, ...failure },
})
const REFUSED = {
  failure: 'refused',
  error: '550 No such user',
  smtpCode: 550,
  isFinal: true,
} as const

test('what was sent is settled with its refused recipients, and its copy is wanted', async () => {
  const { runtime, entry, entries: rows, attached } = await setUp()
  await beginHandover(runtime, entry)
  const refused = [{ address: 'eve@example.net', smtpCode: 550, message: 'No such user' }]
  expect(await settle(runtime, entry, { kind: 'sent', refused })).toBe('sent')
  expect(await rows()).toMatchObject([
    { status: 'sent', refused, copy: 'wanted', claimedBy: null, claimedUntil: null, error: null },
  ])
  expect(await attached()).toHaveLength(1)
})

test.each([
  [false, ['"Lunch" was not sent to eve@example.net (No such user), zed@example.net (Nor here)']],
  [true, []],
])(
  'of recipients whom the server refused the owner hears, unless somebody waits: %s',
  async (isImmediate, texts) => {
    const { mail, runtime, entry } = await setUp({ isImmediate })
    const refused = [
      { address: 'eve@example.net', smtpCode: 550, message: 'No such user' },
      { address: 'zed@example.net', smtpCode: 553, message: 'Nor here' },
    ]
    await settle(runtime, entry, { kind: 'sent', refused })
    expect((await mail.notices()).map(({ text }) => text)).toEqual(texts)
  },
)

test('where no copy is wanted, what was attached is forgotten at once', async () => {
  const { runtime, store, entry, entries: rows, attached } = await setUp()
  await store.commit((write) => [write.update(accounts).set({ sentCopy: 'never' })])
  expect(await settle(runtime, entry, SENT)).toBe('sent_unfiled')
  expect(await rows()).toMatchObject([{ status: 'sent', copy: 'none', nextCopyAt: null }])
  expect(await attached()).toEqual([])
})

test('the message that was answered shows it and its server learns it, without an event', async () => {
  const { mail, runtime, entry, store } = await setUp({ inReplyTo: 1 })
  const before = await mail.told()
  const [{ seq } = { seq: 0 }] = await store.read
    .select({ seq: sql<number>`max(seq)` })
    .from(changes)
  await settle(runtime, entry, SENT)
  expect(await mail.rows()).toMatchObject([{ id: 1, answered: true, serverFlags: [] }])
  expect(await mail.queued()).toEqual([{ messageId: 1, kind: 'flags', change: { answered: true } }])
  expect(await mail.told()).toEqual(before)
  const fed = await store.read
    .select()
    .from(changes)
    .where(sql`seq > ${seq}`)
  expect(fed.map(({ kind, entityId }) => [kind, entityId])).toContainEqual(['message', 1])
})

test('an original that is gone or was answered before changes nothing', async () => {
  const { mail, runtime, entry } = await setUp({ inReplyTo: 77 })
  expect(await settle(runtime, entry, SENT)).toBe('sent')
  expect(await mail.queued()).toEqual([])
})

test('the draft goes with the message that it became', async () => {
  const { runtime, store, entry } = await setUp()
  await store.commit((write) => [
    write.insert(drafts).values({
      kind: 'new',
      to: '',
      cc: '',
      bcc: '',
      subject: '',
      body: '',
      mode: 'plain',
      messageIdHeader: 'draft@example.org',
      updatedAt: 0,
    }),
    write.update(outbox).set({ draftId: 1 }),
  ])
  await settle(runtime, { ...entry, draftId: 1 }, SENT)
  expect(await store.read.select().from(drafts)).toEqual([])
})

test('what somebody waits for fails at the first attempt, and leaves no notice', async () => {
  const { mail, runtime, entry, entries: rows, attached } = await setUp({ isImmediate: true })
  const failure = { failure: 'refused', error: '450 Busy', smtpCode: 450 } as const
  expect(await settle(runtime, entry, failed(failure))).toBe('failed')
  expect(await rows()).toMatchObject([{ status: 'failed', ...failure, copy: 'none' }])
  expect(await attached()).toEqual([])
  expect(await mail.notices()).toEqual([])
})

test('a scheduled one is tried again, and is given up after a day with a notice', async () => {
  const { mail, runtime, clock, entry, entries: rows } = await setUp()
  await beginHandover(runtime, entry)
  expect(await settle(runtime, entry, failed())).toBe('postponed')
  const [row] = await rows()
  expect(row).toMatchObject({ status: 'scheduled', attempts: 1, error: 'No route to host' })
  const waitMs = (row?.nextAttemptAt ?? 0) - clock.now().getTime()
  expect(waitMs).toBeGreaterThanOrEqual(60_000)
  expect(waitMs).toBeLessThanOrEqual(75_000)
  clock.advance(24 * 60 * 60_000)
  const {
    claimed: [again],
  } = await claimDue(runtime, {
    sidecarId: 'here',
    underway: [],
    restingAccountIds: [],
    readyAccountIds: [],
  })
  expect(again && (await settle(runtime, again, failed()))).toBe('failed')
  expect(await mail.notices()).toMatchObject([
    { kind: 'send_failed', text: '"Lunch" was not sent: No route to host' },
  ])
})

test('what a server refuses for good is not tried again, and the owner hears of it', async () => {
  const { mail, runtime, entry, entries: rows } = await setUp()
  expect(await settle(runtime, entry, failed(REFUSED))).toBe('failed')
  const { isFinal: _, ...columns } = REFUSED
  expect(await rows()).toMatchObject([{ status: 'failed', ...columns }])
  expect(await mail.notices()).toMatchObject([{ kind: 'send_failed' }])
})

test.each(['scheduled', 'sending'] as const)(
  'what the end of the process left is as it was: %s',
  async (status) => {
    const { runtime, store, entry, entries: rows } = await setUp({ isImmediate: true })
    await store.commit((write) => [write.update(outbox).set({ status })])
    expect(await settle(runtime, entry, { kind: 'left' })).toBe('left')
    expect(await rows()).toMatchObject([{ status: 'scheduled', attempts: 0, claimedBy: null }])
  },
)

test.each<Outcome>([SENT, failed(), failed(REFUSED), { kind: 'left' }, { kind: 'lost' }])(
  'an outcome that comes when another sidecar has the entry changes nothing',
  async (outcome) => {
    const { mail, runtime, store, entry, entries: rows } = await setUp({ inReplyTo: 1 })
    await store.commit((write) => [write.update(outbox).set({ claimedBy: 'there' })])
    const before = await rows()
    expect(await settle(runtime, entry, outcome)).toBe('lost')
    expect(await rows()).toEqual(before)
    expect(await mail.queued()).toEqual([])
    expect(await mail.notices()).toEqual([])
  },
)

test('what a sidecar that is gone was handing over has an unknown outcome, once its claim has expired', async () => {
  const {
    mail,
    runtime,
    entry,
    entries: rows,
    attached,
    expire,
  } = await setUp({ isImmediate: true })
  await beginHandover(runtime, entry)
  expect(await failAbandoned(runtime, [])).toEqual([])
  await expire()
  expect(await failAbandoned(runtime, [entry.id])).toEqual([])
  expect(await failAbandoned(runtime, [])).toEqual([entry.id])
  expect(await rows()).toMatchObject([{ status: 'failed', failure: 'unknown', claimedBy: null }])
  expect(await attached()).toEqual([])
  expect(await mail.notices()).toMatchObject([
    { kind: 'send_failed', text: expect.stringContaining('may have been sent') as unknown },
  ])
  expect(await settle(runtime, entry, SENT)).toBe('lost')
})

test('what was claimed and not yet handed over is never given up', async () => {
  const { runtime, expire, entries: rows } = await setUp()
  await expire()
  expect(await failAbandoned(runtime, [])).toEqual([])
  expect(await rows()).toMatchObject([{ status: 'scheduled' }])
})
