import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { events } from '../../../db/schema/events.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import { revokeToken } from '../../../domain/tokens/revoke.ts'
import { harness, type Harness } from '../../support/harness.ts'
import { lineReader } from '../../support/ndjson.ts'
import { tellEvents } from '../../support/told-events.ts'

const PING_MS = 30_000

async function listen(h: Harness, query = '') {
  const answer = await h.get(`/api/v1/webhooks/listen${query}`)
  expect(answer.status).toBe(200)
  return lineReader(answer.body)
}

/** One that has read its first ping. */
async function listening(h: Harness, query = '') {
  const lines = await listen(h, query)
  expect(await lines.next()).toEqual({ type: 'ping' })
  return lines
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the first line says at once that the stream is open, and nothing on its way holds it back', async () => {
  await using h = await harness()
  const answer = await h.get('/api/v1/webhooks/listen')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-svc-since': '0',
  })
  expect(await lineReader(answer.body).next()).toEqual({ type: 'ping' })
})

test('an event is a line with its number and what a webhook would get', async () => {
  await using h = await harness()
  const lines = await listening(h)
  await tellEvents(h.runtime, 1)
  expect(await lines.next()).toEqual({
    type: 'event',
    event: 'sync.error',
    id: 1,
    payload: {
      id: 'evt_1',
      event: 'sync.error',
      created_at: '2026-11-22T00:00:00.000Z',
      data: { account: 'Ada', error: '1' },
    },
  })
})

test('only what is asked for is told', async () => {
  await using h = await harness()
  const lines = await listening(h, '?events=message.sent,%20sync.error')
  await tellEvents(h.runtime, 2, { kind: 'message.received' })
  await tellEvents(h.runtime, 1, { kind: 'message.sent' })
  await tellEvents(h.runtime, 1)
  expect((await lines.events(2)).map(({ event }) => event)).toEqual(['message.sent', 'sync.error'])
})

test('a thousand at once, and those that come while they are read, each once and in order', async () => {
  await using h = await harness()
  const lines = await listening(h)
  await tellEvents(h.runtime, 1_000)
  const first = await lines.events(500)
  await tellEvents(h.runtime, 300)
  const ids = [...first, ...(await lines.events(800))].map(({ id }) => id)
  expect(ids).toEqual(Array.from({ length: 1_300 }, (_, index) => index + 1))
})

test('since goes on after an event, from the store, and without it nothing old is told', async () => {
  await using h = await harness()
  await tellEvents(h.runtime, 450)
  const [all, some, none] = [
    await listening(h, '?since=0'),
    await listening(h, '?since=447'),
    await listening(h),
  ]
  expect(await all.events(450)).toHaveLength(450)
  expect((await some.events(3)).map(({ id }) => id)).toEqual([448, 449, 450])
  await tellEvents(h.runtime, 1)
  expect(await none.next()).toMatchObject({ id: 451 })
})

test.each(['since=x', 'since=-1', 'since=', 'since=1.5', 'since=1', 'events=ping', 'events=a.b'])(
  '%s is refused',
  async (query) => {
    await using h = await harness()
    const answer = await h.get(`/api/v1/webhooks/listen?${query}`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringMatching(/^(since|events)/) },
    })
  },
)

test('a ping comes every thirty seconds', async () => {
  await using h = await harness()
  const lines = await listening(h)
  for (let count = 0; count < 3; count += 1) {
    const next = lines.next()
    h.clock.advance(PING_MS)
    expect(await next).toEqual({ type: 'ping' })
  }
})

test('no pings wait for a reader that has stalled', async () => {
  await using h = await harness()
  const lines = await listening(h)
  await settled()
  for (let count = 0; count < 10; count += 1) {
    h.clock.advance(PING_MS)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await tellEvents(h.runtime, 1)
  const told: unknown[] = []
  while (told.at(-1) !== 'event') told.push((await lines.next())?.type)
  expect(told.length).toBeLessThanOrEqual(2)
})

describe('at the next ping it ends, and says why', () => {
  test.each([
    [
      'unauthorized',
      'the token is revoked',
      (h: Harness) => revokeToken(h.runtime, { id: h.token.id }),
    ],
    [
      'unauthorized',
      'the token has expired',
      (h: Harness) => change(h, { expiresAt: h.clock.now().getTime() + PING_MS }),
    ],
    ['insufficient_scope', 'the scope is gone', (h: Harness) => change(h, { scopes: 'mail:read' })],
    [
      'licence_required',
      'the licence has lapsed',
      (h: Harness) => Object.assign(h.runtime.config, { automation: false }),
    ],
  ])('%s: %s', async (code, _why, happen) => {
    await using h = await harness()
    const lines = await listening(h)
    await happen(h)
    const next = lines.next()
    h.clock.advance(PING_MS)
    expect(await next).toEqual({ type: 'error', code, message: expect.stringMatching(/\w/) })
    expect(await lines.next()).toBeUndefined()
  })

  const change = (h: Harness, values: Partial<typeof tokens.$inferInsert>) =>
    h.runtime.store.transaction((tx) =>
      tx.update(tokens).set(values).where(eq(tokens.id, h.token.id)),
    )

  test('also to a reader that has stalled', async () => {
    await using h = await harness()
    const lines = await listening(h)
    await tellEvents(h.runtime, 3)
    await revokeToken(h.runtime, { id: h.token.id })
    h.clock.advance(PING_MS)
    await settled()
    const told: unknown[] = []
    for (let line = await lines.next(); line; line = await lines.next()) told.push(line.type)
    expect(told.at(-1)).toBe('error')
    expect(told.filter((type) => type === 'error')).toHaveLength(1)
  })
})

test('it ends when the process shall end', async () => {
  const stopping = new AbortController()
  await using h = await harness({ ports: { stopping: stopping.signal } })
  const [waiting, stalled] = [await listening(h), await listen(h)]
  const next = waiting.next()
  stopping.abort()
  expect(await next).toBeUndefined()
  expect(await stalled.next()).toEqual({ type: 'ping' })
  expect(await stalled.next()).toBeUndefined()
})

test('a fault of the store ends it with the fixed words, and is logged', async () => {
  await using h = await harness()
  const store = { ...h.runtime.store, read: h.runtime.store.read }
  const lines = await listening(h)
  const next = lines.next()
  const fault = () => {
    throw new Error('the password is hunter2')
  }
  Object.assign(store.read, { select: fault })
  h.runtime.wake.now('events')
  const line = await next
  expect(line).toMatchObject({ type: 'error', code: 'internal' })
  expect(JSON.stringify(line)).not.toContain('hunter2')
  expect(h.logger.lines).toMatchObject([
    { level: 'error', cause: { message: 'the password is hunter2' } },
  ])
})

describe('what is lost is counted', () => {
  test('of one who falls ten thousand behind, on the next line, once', async () => {
    await using h = await harness()
    const [every, some] = [await listening(h), await listening(h, '?events=sync.error')]
    await settled()
    // One line is made before anybody asks for it.
    await tellEvents(h.runtime, 1)
    await settled()
    await tellEvents(h.runtime, 250, { kind: 'message.sent' })
    await tellEvents(h.runtime, 10_000)
    const ofEvery = await every.events(10_001)
    expect(ofEvery.filter(({ dropped }) => dropped)).toMatchObject([{ id: 252, dropped: 250 }])
    expect(ofEvery.at(-1)).toMatchObject({ id: 10_251 })
    expect((await some.events(10_001)).filter(({ dropped }) => dropped)).toEqual([])
  })

  test('not of one who catches up', async () => {
    await using h = await harness()
    await tellEvents(h.runtime, 10_500)
    const lines = await (await listening(h, '?since=0')).events(10_500)
    expect(lines.filter(({ dropped }) => dropped)).toEqual([])
  })

  test('of events that are no longer kept, and on a ping where nothing that is wanted follows', async () => {
    await using h = await harness()
    await tellEvents(h.runtime, 10)
    await h.runtime.store.transaction((tx) => tx.delete(events).where(eq(events.accountId, 1)))
    await tellEvents(h.runtime, 2)
    const wanting = await listening(h, '?since=4')
    expect(await wanting.events(2)).toMatchObject([
      { id: 11, dropped: 6 },
      expect.not.objectContaining({ dropped: expect.anything() }),
    ])
    const other = await listening(h, '?since=4&events=message.sent')
    const next = other.next()
    await eventLoopTurns()
    h.clock.advance(PING_MS)
    expect(await next).toEqual({ type: 'ping', dropped: 6 })
  })

  const eventLoopTurns = () => new Promise((resolve) => setTimeout(resolve, 20))
})

test('hundreds of listeners share what is read, and stalled ones hold nothing', async () => {
  await using h = await harness()
  const { read } = h.runtime.store
  let queries = 0
  const select = read.select.bind(read)
  Object.assign(read, {
    select: (...args: Parameters<typeof select>) => ((queries += 1), select(...args)),
  })
  const listeners = await Promise.all(Array.from({ length: 300 }, () => listening(h)))
  const reading = listeners.slice(0, 150).map((lines) => lines.events(1_000))
  await settled()
  queries = 0
  await tellEvents(h.runtime, 1_000)
  for (const lines of await Promise.all(reading)) expect(lines.at(-1)).toMatchObject({ id: 1_000 })
  expect(queries).toBeLessThan(150)
  // Those that had stalled read on where they stood.
  for (const lines of listeners.slice(150, 155))
    expect(await lines.events(1_000)).toHaveLength(1_000)
})
