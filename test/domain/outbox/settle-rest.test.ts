import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../../db/schema/accounts.ts'
import { outgoingAttachments } from '../../../db/schema/attachment-data.ts'
import { outbox, type RefusedRecipient } from '../../../db/schema/outbox.ts'
import { cancelOutboxEntry } from '../../../domain/outbox/cancel.ts'
import { claimDue } from '../../../domain/outbox/claim.ts'
import { settleCopy } from '../../../domain/outbox/copies/settle.ts'
import { failAbandoned } from '../../../domain/outbox/fail-abandoned.ts'
import { beginHandover } from '../../../domain/outbox/hold-claim.ts'
import type { Failure, Outcome } from '../../../domain/outbox/outcome.ts'
import { rescheduleOutboxEntry } from '../../../domain/outbox/reschedule.ts'
import { settle } from '../../../domain/outbox/settle.ts'
import { storeAttachmentBytes } from '../../../domain/submission/attachment-data.ts'
import { mailToChange } from '../../support/mail-to-change.ts'
import { entries, queueOutgoing } from '../../support/outgoing.ts'

const DAY_MS = 24 * 60 * 60_000
const EVE = { address: 'eve@example.net', smtpCode: 450, message: 'Later' }
const ZED = { address: 'zed@example.net', smtpCode: 452, message: 'Full' }
const GONE = { address: 'gone@example.net', smtpCode: 550, message: 'No such user' }
const ERROR = 'It was sent, but is still tried for eve@example.net (Later)'

const sent = (...refused: readonly RefusedRecipient[]): Outcome => ({ kind: 'sent', refused })
const failed = (failure: Partial<Failure>): Outcome => ({
  kind: 'failed',
  failure: { failure: 'not_sent', error: 'No route to host', isFinal: false, ...failure },
})

/** A scheduled message with an attachment that somebody has got, and `waiting` have not. */
async function setUp(...waiting: readonly RefusedRecipient[]) {
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
  await queueOutgoing(store, { accountId, nowMs, attachments: [attachment], inReplyTo: 1 })
  const attempt = async (outcome?: Outcome) => {
    const claiming = { sidecarId: 'here', underway: [], restingAccountIds: [], readyAccountIds: [] }
    const {
      claimed: [entry],
    } = await claimDue(runtime, claiming)
    if (!entry) throw new Error('Nothing is due.')
    await beginHandover(runtime, entry)
    return outcome && settle(runtime, entry, outcome)
  }
  expect(await attempt(sent(...waiting))).toBe('sent')
  return {
    mail,
    runtime,
    store,
    attempt,
    later: async (ms: number, outcome?: Outcome) => {
      clock.advance(ms)
      return attempt(outcome)
    },
    row: async () => (await entries(store))[0],
    attached: () => store.read.select().from(outgoingAttachments),
    texts: async () => (await mail.notices()).map(({ text }) => text),
  }
}

test('whom the server refuses for now is tried again: what follows from sending is done at once, and once', async () => {
  const { mail, row, attached, later, texts } = await setUp(EVE, GONE)
  expect(await row()).toMatchObject({
    status: 'scheduled',
    waiting: [EVE],
    refused: [GONE],
    error: ERROR,
    attempts: 1,
    copy: 'wanted',
    settledAt: null,
  })
  expect(await texts()).toEqual(['"Lunch" was not sent to gone@example.net (No such user)'])
  expect(await mail.rows()).toMatchObject([{ id: 1, answered: true }])
  expect(await later(75_000, sent())).toBe('completed')
  expect(await row()).toMatchObject({
    status: 'sent',
    waiting: null,
    refused: [GONE],
    error: null,
    attempts: 2,
    copy: 'wanted',
  })
  expect(await attached()).toHaveLength(1)
  expect(await texts()).toHaveLength(1)
  expect(await mail.queued()).toHaveLength(1)
})

test('those who have it by then are not tried again', async () => {
  const { row, later } = await setUp(EVE, ZED)
  expect(await later(75_000, sent(EVE))).toBe('postponed')
  expect(await row()).toMatchObject({
    status: 'scheduled',
    waiting: [EVE],
    refused: [],
    attempts: 2,
  })
})

test('a server that is away, or refuses all of them for now, is tried again', async () => {
  const { row, later } = await setUp(EVE)
  expect(await later(75_000, failed({}))).toBe('postponed')
  expect(await row()).toMatchObject({ waiting: [EVE], error: `${ERROR}: No route to host` })
  const busy = { failure: 'refused', error: '451 Busy', smtpCode: 451 } as const
  expect(await later(3 * 60_000, failed(busy))).toBe('postponed')
  expect(await row()).toMatchObject({
    status: 'scheduled',
    waiting: [{ ...EVE, smtpCode: 451, message: '451 Busy' }],
    error: ERROR.replace('Later', '451 Busy'),
  })
})

test.each([
  {
    what: 'for good',
    ms: 75_000,
    outcome: failed({ failure: 'refused', error: 'No', smtpCode: 550, isFinal: true }),
    why: 'No',
  },
  { what: 'for a day', ms: DAY_MS, outcome: sent(EVE), why: 'Later' },
  { what: 'for a day, and is away', ms: DAY_MS, outcome: failed({}), why: 'Later' },
])(
  'whom the server refuses $what does not get it, and the owner hears of it',
  async ({ ms, outcome, why }) => {
    const { row, later, texts } = await setUp(EVE)
    expect(await later(ms, outcome)).toBe('completed')
    expect(await row()).toMatchObject({
      status: 'sent',
      waiting: null,
      refused: [{ address: EVE.address, message: why }],
      error: null,
    })
    expect(await texts()).toEqual([`"Lunch" was not sent to eve@example.net (${why})`])
  },
)

test.each(['the server does not answer', 'the process ends'])(
  'when %s, nobody is sent it again, and the owner hears of it',
  async (what) => {
    const { runtime, store, row, later, texts } = await setUp(EVE, ZED)
    if (what === 'the process ends') {
      await later(75_000)
      await store.commit((write) => [
        write.update(outbox).set({ claimedUntil: sql`claimed_until - 31000` }),
      ])
      expect(await failAbandoned(runtime, [])).toEqual([1])
    } else
      expect(await later(75_000, failed({ failure: 'unknown', isFinal: true }))).toBe('completed')
    expect(await row()).toMatchObject({
      status: 'sent',
      waiting: null,
      claimedBy: null,
      failure: null,
      error: expect.stringContaining('unknown') as unknown,
      copy: 'wanted',
    })
    expect(await texts()).toEqual([
      '"Lunch" may have been sent, or not, to eve@example.net (Later), zed@example.net (Full)',
    ])
    await expect(later(DAY_MS)).rejects.toThrow('Nothing is due.')
  },
)

test('what is attached is kept until the copy is filed and nobody waits, whichever comes last', async () => {
  const { mail, runtime, attached, later } = await setUp(EVE)
  await settleCopy(runtime, await mail.lease(), { id: 1, copy: 'filed' })
  expect(await attached()).toHaveLength(1)
  await later(75_000, sent())
  expect(await attached()).toEqual([])
})

test('where no copy is wanted, what is attached is kept until nobody waits', async () => {
  const { runtime, store, attached } = await setUp()
  await store.commit((write) => [
    write.update(accounts).set({ sentCopy: 'never' }),
    write.update(outbox).set({ status: 'scheduled', copy: 'none' }),
  ])
  const claiming = { sidecarId: 'here', underway: [], restingAccountIds: [], readyAccountIds: [] }
  const {
    claimed: [entry],
  } = await claimDue(runtime, claiming)
  expect(entry && (await settle(runtime, entry, sent(EVE)))).toBe('sent_unfiled')
  expect(await attached()).toHaveLength(1)
})

test('it is too late to cancel it, or to put it off', async () => {
  const { runtime, row } = await setUp(EVE)
  const before = await row()
  await expect(cancelOutboxEntry(runtime, { id: 1 })).rejects.toThrow(/cannot be cancelled/)
  const sendAt = new Date(runtime.clock.now().getTime() + DAY_MS)
  await expect(rescheduleOutboxEntry(runtime, { id: 1, sendAt })).rejects.toThrow(/put off/)
  expect(await row()).toEqual(before)
})
