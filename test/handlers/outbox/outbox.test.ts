import { describe, expect, test } from 'vitest'
import { outbox } from '../../../db/schema/outbox.ts'
import { retryAtMs } from '../../../domain/outbox/retry.ts'
import { harness, type Harness } from '../../support/harness.ts'

const PATH = '/api/v1/outbox'
const LATER = '2026-12-24T08:00:00.000Z'

async function withEntries(...sendAts: readonly string[]) {
  const h = await harness()
  await h.make.account({ name: 'Work', email: 'ada@example.org' })
  for (const schedule_at of sendAts) {
    await h.send('POST', '/api/v1/messages/send', {
      to: ['Charles <charles@example.com>'],
      subject: 'The engine',
      schedule_at,
    })
  }
  return h
}

const set = (h: Harness, values: Partial<typeof outbox.$inferInsert>) =>
  h.runtime.store.commit((write) => [write.update(outbox).set(values)])
const json = async (answer: Response) => ({
  status: answer.status,
  body: (await answer.json()) as unknown,
})

const ENTRY = {
  outbox_id: 1,
  account: 'Work',
  to: [{ name: 'Charles', address: 'charles@example.com' }],
  subject: 'The engine',
  send_at: LATER,
  status: 'scheduled',
  message_id: expect.stringMatching(/@example\.org$/),
}

describe('200', () => {
  test('the list is the latest first, page by page', async () => {
    await using h = await withEntries(
      '2026-12-01T00:00:00Z',
      '2026-12-03T00:00:00Z',
      '2026-12-02T00:00:00Z',
      '2026-12-02T00:00:00Z',
    )
    const seen: number[] = []
    let cursor = ''
    do {
      const { body } = await json(await h.get(`${PATH}?limit=1&cursor=${cursor}`))
      const page = body as { data: { outbox_id: number }[]; next_cursor: string }
      seen.push(...page.data.map(({ outbox_id }) => outbox_id))
      cursor = page.next_cursor
    } while (cursor !== '')
    expect(seen).toEqual([2, 4, 3, 1])
  })

  test('an entry says how it stands', async () => {
    await using h = await withEntries(LATER)
    expect(await json(await h.get(`${PATH}/1`))).toEqual({ status: 200, body: ENTRY })
    await set(h, { status: 'failed', error: '550 No.' })
    const failed = { ...ENTRY, status: 'failed', error: '550 No.' }
    expect(await json(await h.get(`${PATH}/1`))).toEqual({ status: 200, body: failed })
  })

  test('a cancelled one stays, and is in the feed of changes', async () => {
    await using h = await withEntries(LATER)
    const cancelled = { ...ENTRY, status: 'cancelled' }
    expect(await json(await h.send('DELETE', `${PATH}/1`))).toEqual({
      status: 200,
      body: cancelled,
    })
    expect(await json(await h.get(`${PATH}/1`))).toEqual({ status: 200, body: cancelled })
    const { body } = await json(await h.get('/api/v1/changes?since=0'))
    expect(body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ kind: 'outbox', id: 1 })]),
    })
  })

  test('another time, after tries that failed too', async () => {
    await using h = await withEntries(LATER)
    await set(h, { attempts: 3, error: 'Later.', nextAttemptAt: 5 })
    const answer = await h.send('PATCH', `${PATH}/1`, { send_at: '2026-12-25T09:00:00+01:00' })
    const moved = { ...ENTRY, send_at: '2026-12-25T08:00:00.000Z' }
    expect(await json(answer)).toEqual({ status: 200, body: moved })
    const [row] = await h.runtime.store.read.select().from(outbox)
    const atMs = Date.parse('2026-12-25T08:00:00Z')
    expect(row).toMatchObject({ sendAt: atMs, nextAttemptAt: atMs, date: atMs, attempts: 0 })
  })

  test('one that is put to the past is due at once, dated now, and tried for a day from now', async () => {
    await using h = await withEntries(LATER)
    h.clock.advance(48 * 3_600_000)
    await h.send('PATCH', `${PATH}/1`, { send_at: '2020-01-01T00:00:00Z' })
    const [row] = await h.runtime.store.read.select().from(outbox)
    const nowMs = h.clock.now().getTime()
    expect(row).toMatchObject({ nextAttemptAt: Date.parse('2020-01-01T00:00:00Z'), date: nowMs })
    const again = row && retryAtMs({ ...row, attempts: 1 }, { nowMs, random: 0 })
    expect(again).toBe(nowMs + 60_000)
  })

  test.each([
    ['', 1],
    [', before the clock was turned back', 4_000_000_000_000],
  ])('one whose sidecar died over it%s can still be cancelled', async (_when, claimedUntil) => {
    await using h = await withEntries(LATER)
    await set(h, { claimedBy: 'dead', claimedUntil })
    expect((await h.send('DELETE', `${PATH}/1`)).status).toBe(200)
  })
})

describe('400', () => {
  const CLAIMED = { claimedBy: 'x', claimedUntil: Date.now() + 29_000 }
  const states = [
    ['claimed', CLAIMED, /is being sent/],
    ['sending', { status: 'sending', ...CLAIMED }, /is being sent/],
    ['sent', { status: 'sent' }, /was sent/],
    ['failed', { status: 'failed' }, /has failed/],
    ['cancelled', { status: 'cancelled' }, /was cancelled/],
  ] as const

  test.each(states)(
    'one that is %s is neither cancelled nor put off',
    async (_what, state, why) => {
      await using h = await withEntries(LATER)
      await set(h, state)
      const before = await json(await h.get(`${PATH}/1`))
      for (const [method, body] of [
        ['DELETE', undefined],
        ['PATCH', { send_at: LATER }],
      ] as const) {
        expect(await json(await h.send(method, `${PATH}/1`, body))).toMatchObject({
          status: 400,
          body: { error: { code: 'invalid_request', message: expect.stringMatching(why) } },
        })
      }
      expect(await json(await h.get(`${PATH}/1`))).toEqual(before)
    },
  )

  test('somebody waits for it: it is not put off', async () => {
    await using h = await withEntries(LATER)
    await set(h, { isImmediate: true })
    expect((await h.send('PATCH', `${PATH}/1`, { send_at: LATER })).status).toBe(400)
  })

  test.each(['soon', '2099-01-01T00:00:00Z', 5, null])('send_at %j', async (send_at) => {
    await using h = await withEntries(LATER)
    const { status, body } = await json(await h.send('PATCH', `${PATH}/1`, { send_at }))
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { message: expect.stringMatching(/^send_at:/) } })
  })
})

describe('404', () => {
  test.each(['GET', 'DELETE', 'PATCH'])('%s of one that is not there', async (method) => {
    await using h = await withEntries(LATER)
    const body = method === 'PATCH' ? { send_at: LATER } : undefined
    expect((await h.send(method, `${PATH}/2`, body)).status).toBe(404)
  })

  test('of an account that is being removed', async () => {
    await using h = await harness()
    const account = await h.make.account({ removingSince: 1 })
    await h.runtime.store.commit((write) => [
      write.insert(outbox).values({
        accountId: account.id,
        status: 'scheduled',
        isImmediate: false,
        sendAt: 0,
        message: {
          from: { address: 'a@x' },
          to: [],
          cc: [],
          bcc: [],
          replyTo: [],
          subject: '',
          text: '',
          references: [],
        },
        messageIdHeader: 'm@x',
        date: 0,
        nextAttemptAt: 0,
        createdAt: 0,
      }),
    ])
    expect((await h.get(`${PATH}/1`)).status).toBe(404)
    expect((await h.send('DELETE', `${PATH}/1`)).status).toBe(404)
    expect(await json(await h.get(PATH))).toMatchObject({ body: { data: [] } })
  })
})
