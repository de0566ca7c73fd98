import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { drafts } from '../../../db/schema/drafts.ts'
import { idempotencyKeys } from '../../../db/schema/idempotency-keys.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { createToken } from '../../../domain/tokens/create.ts'
import { StorageError } from '../../../runtime/ports/storage-error.ts'
import type { Store } from '../../../runtime/ports/store.ts'
import { harness, type Harness } from '../../support/harness.ts'
import { settledOutbox } from '../../support/settled-outbox.ts'

const SEND = '/api/v1/messages/send'
const MAIL = { to: ['charles@example.com'], subject: 'The engine', body: 'It runs.' }
const LATER = { ...MAIL, schedule_at: '2026-12-24T08:00:00Z' }
const RULE = {
  conditions: [{ field: 'subject', op: 'contains', value: 'x' }],
  actions: [{ type: 'star' }],
}

interface Asked {
  readonly path?: string
  readonly body?: object
  readonly secret?: string
}

async function post(
  h: Harness,
  key: string,
  { path = SEND, body = MAIL, secret = h.secret }: Asked = {},
) {
  const answer = await h.api.request(path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
    body: JSON.stringify(body),
  })
  return {
    status: answer.status,
    isReplayed: answer.headers.get('Idempotency-Replayed'),
    type: answer.headers.get('Content-Type'),
    remaining: answer.headers.get('RateLimit'),
    body: await answer.text(),
  }
}

async function withAccount() {
  const h = await harness({ config: { apiRateLimit: 0 } })
  await h.make.account({ name: 'Work', email: 'ada@example.org' })
  return h
}

const entries = (h: Harness) => h.runtime.store.read.select().from(outbox)
const forgetAnswers = (h: Harness) =>
  h.runtime.store.commit((write) => [
    write.update(idempotencyKeys).set({ answerStatus: null, answerBody: null }),
  ])

describe('a repeat', () => {
  test('of a send gets the same status and bytes, and nothing is sent again', async () => {
    await using h = await withAccount()
    await using sidecar = await settledOutbox(h.runtime)
    const first = await post(h, 'k')
    expect(first).toMatchObject({ status: 200, isReplayed: null })
    expect(await post(h, 'k', { body: { ...MAIL, subject: 'Another' } })).toEqual({
      ...first,
      isReplayed: 'true',
    })
    expect(sidecar.handedOver).toEqual([1])
  })

  test.each([
    ['a scheduled send', { path: SEND, body: LATER }, { status: 202, sends: 1 }],
    ['a new rule', { path: '/api/v1/filters', body: RULE }, { status: 201, sends: 0 }],
  ])('of %s too', async (_what, asked, { status, sends }) => {
    await using h = await withAccount()
    const first = await post(h, 'k', asked)
    expect(first).toMatchObject({ status, isReplayed: null })
    expect(await post(h, 'k', asked)).toEqual({ ...first, isReplayed: 'true' })
    await forgetAnswers(h)
    expect(await post(h, 'k', asked)).toEqual({ ...first, isReplayed: 'true' })
    expect(await entries(h)).toHaveLength(sends)
  })

  test('is answered from the row when the first did not live to keep its answer', async () => {
    await using h = await withAccount()
    const refused = [{ address: 'b@example.com', smtpCode: 550, message: 'No.' }]
    await using sidecar = await settledOutbox(h.runtime, () => ({ status: 'sent', refused }))
    const first = await post(h, 'k')
    await forgetAnswers(h)
    expect(await post(h, 'k')).toEqual({ ...first, isReplayed: 'true' })
    expect(sidecar.handedOver).toEqual([1])
  })

  test('of a draft that is gone, but for what its server still has of it, creates it anew', async () => {
    await using h = await withAccount()
    const asked = { path: '/api/v1/drafts', body: { subject: 'The engine' } }
    await post(h, 'k', asked)
    await forgetAnswers(h)
    await h.runtime.store.commit((write) => [write.update(drafts).set({ removedAt: 1 })])
    expect(await post(h, 'k', asked)).toMatchObject({ status: 201, isReplayed: null })
  })

  test('is answered from the row also when the answer could not be kept, which is no failure', async () => {
    await using h = await withAccount()
    await using sidecar = await settledOutbox(h.runtime)
    const { store } = h.runtime
    const transaction: Store['transaction'] = async (work) => {
      const queued = await store.read.select().from(outbox)
      if (queued.length > 0) throw new StorageError('The disk is full.')
      return store.transaction(work)
    }
    Object.assign(h.runtime, { store: { ...store, transaction } })
    const first = await post(h, 'k')
    expect(first.status).toBe(200)
    expect(await post(h, 'k')).toEqual({ ...first, isReplayed: 'true' })
    expect(JSON.stringify(h.logger.lines)).toContain('could not be kept')
    Object.assign(h.runtime, { store })
    expect(sidecar.handedOver).toEqual([1])
  })

  test('of a rule that is gone creates it anew', async () => {
    await using h = await withAccount()
    await post(h, 'k', { path: '/api/v1/filters', body: RULE })
    await forgetAnswers(h)
    await h.send('DELETE', '/api/v1/filters/1')
    const again = await post(h, 'k', { path: '/api/v1/filters', body: RULE })
    expect(again).toMatchObject({ status: 201, isReplayed: null })
  })

  test.each([
    ['the server said no', { status: 'failed', failure: 'refused' }],
    ['nothing was handed over', { status: 'failed', failure: 'not_sent' }],
    ['it was cancelled', { status: 'cancelled' }],
  ] as const)(
    'after a failure is carried out anew, and bound to the new row: %s',
    async (_, outcome) => {
      await using h = await withAccount()
      let tries = 0
      await using sidecar = await settledOutbox(h.runtime, () =>
        tries++ === 0 ? outcome : { status: 'sent' },
      )
      expect((await post(h, 'k')).status).toBe(502)
      const second = await post(h, 'k')
      expect(second).toMatchObject({ status: 200, isReplayed: null })
      expect(await post(h, 'k')).toEqual({ ...second, isReplayed: 'true' })
      expect(sidecar.handedOver).toEqual([1, 2])
    },
  )

  test('when nobody knows whether it was sent is the same 502, and never a second try', async () => {
    await using h = await withAccount()
    await using sidecar = await settledOutbox(h.runtime, () => ({
      status: 'failed',
      failure: 'unknown',
      error: 'Outcome unknown.',
    }))
    const first = await post(h, 'k')
    expect(first.status).toBe(502)
    expect(await post(h, 'k')).toEqual(first)
    expect(sidecar.handedOver).toEqual([1])
  })

  test('waits while the first is being sent, and shares its failure', async () => {
    await using h = await withAccount()
    const { promise, resolve } = Promise.withResolvers<{ status: 'failed'; failure: 'refused' }>()
    await using sidecar = await settledOutbox(h.runtime, () => promise)
    const first = post(h, 'k')
    await expect.poll(() => entries(h)).toHaveLength(1)
    const second = post(h, 'k')
    await new Promise((done) => setTimeout(done, 50))
    resolve({ status: 'failed', failure: 'refused' })
    expect(await second).toEqual(await first)
    expect(sidecar.handedOver).toEqual([1])
  })

  test('a day later is another request', async () => {
    await using h = await withAccount()
    await using sidecar = await settledOutbox(h.runtime)
    await post(h, 'k')
    h.clock.advance(24 * 3_600_000)
    expect(await post(h, 'k')).toMatchObject({ status: 200, isReplayed: null })
    expect(sidecar.handedOver).toEqual([1, 2])
  })
})

test('50 at once with one key: one is sent, and all get the same answer', async () => {
  await using h = await withAccount()
  await using sidecar = await settledOutbox(h.runtime)
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(h, 'k')))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
  expect(answers.filter(({ isReplayed }) => isReplayed === null)).toHaveLength(1)
  expect(await entries(h)).toHaveLength(1)
  expect(sidecar.handedOver).toEqual([1])
})

test('another key, token or path is another request', async () => {
  await using h = await withAccount()
  await using sidecar = await settledOutbox(h.runtime)
  const other = await createToken(h.runtime, { label: 'other', scopes: 'mail:send mail:modify' })
  await post(h, 'k')
  await post(h, 'K')
  await post(h, 'k', { secret: other.secret })
  expect(await post(h, 'k', { path: '/api/v1/filters', body: RULE })).toMatchObject({ status: 201 })
  expect(sidecar.handedOver).toEqual([1, 2, 3])
})

test('a request that is not valid binds nothing, even where its key is known', async () => {
  await using h = await withAccount()
  await using _sidecar = await settledOutbox(h.runtime)
  expect((await post(h, 'k', { body: { ...MAIL, to: [] } })).status).toBe(400)
  expect((await post(h, 'k')).status).toBe(200)
  expect((await post(h, 'k', { body: { ...MAIL, more: 1 } })).status).toBe(400)
})

test.each([
  ['empty', ''],
  ['too long', 'k'.repeat(256)],
  ['with a control character', 'a\u0080b'],
])('a key that is %s: 400, and nothing is stored', async (_what, key) => {
  await using h = await withAccount()
  const answer = await post(h, key)
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body)).toMatchObject({
    error: { message: expect.stringMatching(/^Idempotency-Key:/) },
  })
  expect(await entries(h)).toEqual([])
})

test('the longest key is taken', async () => {
  await using h = await withAccount()
  await using _sidecar = await settledOutbox(h.runtime)
  const key = 'k'.repeat(255)
  expect((await post(h, key)).status).toBe(200)
  const [row] = await h.runtime.store.read
    .select()
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.key, key))
  expect(row).toMatchObject({ route: 'POST /api/v1/messages/send', kind: 'outbox', entityId: 1 })
})
