import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { replayDelivery } from '../../domain/webhooks/replay.ts'
import { rotateWebhookSecret } from '../../domain/webhooks/rotate-secret.ts'
import { updateWebhook } from '../../domain/webhooks/update.ts'
import { startDrain } from '../support/draining.ts'
import { eventually } from '../support/eventually.ts'
import { scriptedOutbound } from '../support/scripted-outbound.ts'
import { settled, watchedWebhooks } from '../support/watched-webhooks.ts'

const MINUTE_MS = 60_000

test('a delivery goes out at once, signed, and the log says what became of it and nothing else', async () => {
  const { h, runtime, rows, becomes } = await watchedWebhooks()
  const outbound = scriptedOutbound(202)
  startDrain(runtime, outbound)
  const { id, secret } = await rows.create({ url: 'http://hooks.example.org/path?key=geheim' })
  const [delivery = 0] = await rows.queue(id)
  await becomes(delivery, {
    status: 'ok',
    attempts: 1,
    nextAttemptAt: null,
    lastStatusCode: 202,
    lastError: null,
    responseBody: 'noted',
    durationMs: 0,
    deliveredAt: h.clock.now().getTime(),
  })
  const [queued] = await rows.deliveries()
  const text = new TextDecoder().decode(queued?.body)
  const t = h.clock.now().getTime() / 1000
  const v1 = createHmac('sha256', secret).update(`${t}.${text}`).digest('hex')
  expect(outbound.received).toEqual([
    {
      url: 'http://hooks.example.org/path?key=geheim',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'svc-webhooks/1',
        'X-Svc-Event': 'sync.error',
        'X-Svc-Delivery-Id': queued?.deliveryId,
        'X-Svc-Signature': `t=${t},v1=${v1}`,
      },
      body: text,
    },
  ])
  const log = JSON.stringify(h.logger.lines)
  expect(log).toContain('"outcome":"ok"')
  expect(log).not.toMatch(/geheim|noted|whsec|v1=/)
  expect(log).not.toContain(secret)
  expect(runtime.metrics.read()).toMatchObject({ 'webhook_attempts_total{outcome="ok"}': 1 })
})

test('seven attempts, each exactly when it is due and with the same bytes, and then the endpoint is switched off', async () => {
  const { h, runtime, clock, rows, becomes } = await watchedWebhooks()
  const outbound = scriptedOutbound(500, 503, 429, 404, 302, 400, 500)
  startDrain(runtime, outbound)
  const { id } = await rows.create({ url: 'http://hooks.example.org/geheim' })
  const [delivery = 0] = await rows.queue(id)
  for (const [n, minutes] of [1, 5, 30, 120, 480, 840].entries()) {
    await becomes(delivery, {
      status: 'failed',
      attempts: n + 1,
      nextAttemptAt: clock.now().getTime() + minutes * MINUTE_MS,
    })
    await settled()
    clock.advance(minutes * MINUTE_MS - 1)
    await settled()
    expect(outbound.received).toHaveLength(n + 1)
    clock.advance(1)
  }
  await becomes(delivery, { status: 'dead', attempts: 7, nextAttemptAt: null, lastStatusCode: 500 })
  expect(await rows.webhooks()).toMatchObject([
    { active: false, autoDisabledAt: clock.now().getTime() },
  ])
  const notices = await rows.notices()
  expect(notices).toMatchObject([{ kind: 'webhook_disabled', webhookId: id, accountId: null }])
  expect(notices[0]?.text).toContain('http://hooks.example.org')
  expect(notices[0]?.text).not.toContain('geheim')
  expect(h.logger.lines).toContainEqual({
    level: 'warn',
    message: expect.stringContaining('switched off'),
    fields: { webhookId: id },
  })
  expect(new Set(outbound.received.map(({ body }) => body)).size).toBe(1)
  const ids = outbound.received.map(({ headers }) => headers['X-Svc-Delivery-Id'])
  expect(new Set(ids).size).toBe(1)
  const signatures = outbound.received.map(({ headers }) => headers['X-Svc-Signature'])
  expect(new Set(signatures).size).toBe(7)
})

test.each([
  ['a success on the way', 200, 'ok'],
  ['a 410', 410, 'dead'],
])('%s ends it, and the endpoint stays on', async (_what, status, became) => {
  const { runtime, clock, rows, becomes } = await watchedWebhooks()
  const outbound = scriptedOutbound(500, status)
  startDrain(runtime, outbound)
  const { id } = await rows.create()
  const [delivery = 0] = await rows.queue(id)
  await becomes(delivery, { status: 'failed' })
  await settled()
  clock.advance(MINUTE_MS)
  await becomes(delivery, { status: became, attempts: 2, nextAttemptAt: null })
  clock.advance(30 * 60 * MINUTE_MS)
  await settled()
  expect(outbound.received).toHaveLength(2)
  expect(await rows.webhooks()).toMatchObject([{ active: true, autoDisabledAt: null }])
  expect(await rows.notices()).toEqual([])
})

test('whatever goes wrong is a failed attempt with its reason, and the lane goes on', async () => {
  const { h, runtime, clock, rows, becomes } = await watchedWebhooks()
  const refused = { status: null, failure: 'refused', reason: '10.0.0.1 is refused' } as const
  const outbound = scriptedOutbound(refused, new TypeError('Invalid character: geheim'), 200)
  startDrain(runtime, outbound)
  const { id } = await rows.create()
  const [first = 0] = await rows.queue(id)
  await becomes(first, { status: 'failed', lastStatusCode: null, lastError: '10.0.0.1 is refused' })
  await settled()
  clock.advance(MINUTE_MS)
  await becomes(first, { attempts: 2, lastError: 'the request could not be made' })
  await settled()
  clock.advance(5 * MINUTE_MS)
  await becomes(first, { status: 'ok', attempts: 3, lastError: null })
  expect(h.logger.lines).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'A webhook delivery could not be made.' }),
  )
})

test('what nobody was woken for goes out within five seconds', async () => {
  const { runtime, clock, rows, becomes } = await watchedWebhooks()
  startDrain(runtime, scriptedOutbound(500, 200))
  const { id } = await rows.create()
  const [delivery = 0] = await rows.queue(id)
  await becomes(delivery, { status: 'failed' })
  await settled()
  await rows.setDelivery(delivery, { nextAttemptAt: clock.now().getTime() })
  clock.advance(5_000)
  await becomes(delivery, { status: 'ok', attempts: 2 })
})

test('what waits for a paused endpoint goes out when it is resumed, in its order', async () => {
  const { runtime, clock, rows, becomes } = await watchedWebhooks()
  const outbound = scriptedOutbound(200)
  const { id } = await rows.create({ active: false })
  const first = await rows.queue(id, 3)
  clock.advance(10)
  const [last = 0] = await rows.queue(id)
  startDrain(runtime, outbound)
  await settled()
  expect(outbound.received).toEqual([])
  await updateWebhook(runtime, { id, active: true })
  // Outcomes of the same instant are gathered by the clock.
  await settled()
  clock.advance(25)
  await becomes(last, { status: 'ok' })
  const sent = outbound.received.map(({ body }) => JSON.parse(body) as { id: string })
  const queued = await rows.deliveries()
  expect(sent.map((body) => body.id)).toEqual(queued.map(({ deliveryId }) => deliveryId))
  expect(first).toHaveLength(3)
})

test('a pause holds back what is known already', async () => {
  const { runtime, rows, clock, row } = await watchedWebhooks()
  const answer = Promise.withResolvers<number>()
  const outbound = scriptedOutbound(() => answer.promise, 200)
  startDrain(runtime, outbound)
  const { id } = await rows.create()
  const ids = await rows.queue(id, 5)
  await eventually(async () => expect(outbound.received).toHaveLength(1))
  await updateWebhook(runtime, { id, active: false })
  answer.resolve(200)
  await settled()
  clock.advance(5_000)
  await settled()
  expect(outbound.received).toHaveLength(1)
  expect(await row(ids[1] ?? 0)).toMatchObject({ status: 'pending', attempts: 0 })
})

test('attempts after a rotation are signed with the new secret', async () => {
  const { runtime, rows, clock, becomes } = await watchedWebhooks()
  const outbound = scriptedOutbound(500, 200)
  startDrain(runtime, outbound)
  const { id } = await rows.create()
  const [delivery = 0] = await rows.queue(id)
  await becomes(delivery, { status: 'failed' })
  await settled()
  const { secret } = await rotateWebhookSecret(runtime, { id, secret: 'sixteen chars ok' })
  clock.advance(MINUTE_MS)
  await becomes(delivery, { status: 'ok' })
  const second = outbound.received[1]
  const t = clock.now().getTime() / 1000
  const v1 = createHmac('sha256', secret).update(`${t}.${second?.body}`).digest('hex')
  expect(second?.headers['X-Svc-Signature']).toBe(`t=${t},v1=${v1}`)
})

test('a replay while an attempt is under way starts over, whatever comes of that attempt', async () => {
  for (const status of [200, 410, 500]) {
    const { runtime, rows, clock, becomes } = await watchedWebhooks()
    const answer = Promise.withResolvers<number>()
    const outbound = scriptedOutbound(500, () => answer.promise, 500, 200)
    const { stop } = startDrain(runtime, outbound)
    const { id } = await rows.create()
    const [delivery = 0] = await rows.queue(id)
    await becomes(delivery, { status: 'failed' })
    await settled()
    clock.advance(MINUTE_MS)
    await eventually(async () => expect(outbound.received).toHaveLength(2))
    await replayDelivery(runtime, { webhookId: id, id: delivery })
    answer.resolve(status)
    // The first of the new round comes at once, and the next after a minute: one schedule, not two.
    await settled()
    clock.advance(25)
    await becomes(delivery, { status: 'failed', attempts: 1 })
    expect(outbound.received).toHaveLength(3)
    await settled()
    clock.advance(MINUTE_MS)
    await becomes(delivery, { status: 'ok', attempts: 2 })
    clock.advance(60 * MINUTE_MS)
    await settled()
    expect(outbound.received).toHaveLength(4)
    await stop()
  }
})

test('a replay while the first attempt is under way is a delivery of its own', async () => {
  for (const status of [200, 500]) {
    const { runtime, rows, clock, becomes } = await watchedWebhooks()
    const answer = Promise.withResolvers<number>()
    const outbound = scriptedOutbound(() => answer.promise, 503)
    const { stop } = startDrain(runtime, outbound)
    const { id } = await rows.create()
    const [delivery = 0] = await rows.queue(id)
    await eventually(async () => expect(outbound.received).toHaveLength(1))
    await replayDelivery(runtime, { webhookId: id, id: delivery })
    answer.resolve(status)
    await settled()
    clock.advance(25)
    await becomes(delivery, { status: 'failed', attempts: 1, lastStatusCode: 503 })
    expect(outbound.received).toHaveLength(2)
    await stop()
  }
})

test('a replay while the next attempt waits does not double the schedule', async () => {
  const { runtime, rows, clock, becomes } = await watchedWebhooks()
  const outbound = scriptedOutbound(500, 500, 200)
  startDrain(runtime, outbound)
  const { id } = await rows.create()
  const [delivery = 0] = await rows.queue(id)
  await becomes(delivery, { status: 'failed', attempts: 1 })
  await settled()
  clock.advance(30_000)
  const { delivery: replayed } = await replayDelivery(runtime, { webhookId: id, id: delivery })
  expect(replayed).toMatchObject({ status: 'pending', attempts: 0, lastStatusCode: null })
  const due = clock.now().getTime() + MINUTE_MS
  await becomes(delivery, { status: 'failed', attempts: 1, nextAttemptAt: due })
  await settled()
  clock.advance(30_000)
  await settled()
  expect(outbound.received).toHaveLength(2)
  clock.advance(30_000)
  await becomes(delivery, { status: 'ok', attempts: 2 })
  expect(new Set(outbound.received.map(({ body }) => body)).size).toBe(1)
})

test('an attempt from before the endpoint was switched on again does not switch it off', async () => {
  const { runtime, rows, becomes } = await watchedWebhooks()
  const answer = Promise.withResolvers<number>()
  startDrain(
    runtime,
    scriptedOutbound(() => answer.promise),
  )
  const { id } = await rows.create()
  const [delivery = 0] = await rows.queue(id, 1, { status: 'failed', attempts: 6 })
  await settled()
  await updateWebhook(runtime, { id, active: false })
  await updateWebhook(runtime, { id, active: true })
  answer.resolve(500)
  await becomes(delivery, { status: 'dead', attempts: 7 })
  expect(await rows.webhooks()).toMatchObject([{ active: true, autoDisabledAt: null }])
  expect(await rows.notices()).toEqual([])
})

test('a paused endpoint stays paused when a delivery under way runs out of attempts', async () => {
  const { runtime, rows, becomes } = await watchedWebhooks()
  const answer = Promise.withResolvers<number>()
  startDrain(
    runtime,
    scriptedOutbound(() => answer.promise),
  )
  const { id } = await rows.create()
  const [delivery = 0] = await rows.queue(id, 1, { status: 'failed', attempts: 6 })
  await settled()
  await updateWebhook(runtime, { id, active: false })
  answer.resolve(500)
  await becomes(delivery, { status: 'dead' })
  expect(await rows.webhooks()).toMatchObject([{ active: false, autoDisabledAt: null }])
})

test('what was taken counts, even if it was given up meanwhile for want of room', async () => {
  const { runtime, rows, becomes } = await watchedWebhooks()
  const answer = Promise.withResolvers<number>()
  startDrain(
    runtime,
    scriptedOutbound(() => answer.promise),
  )
  const { id } = await rows.create()
  const [delivery = 0] = await rows.queue(id)
  await settled()
  await rows.setDelivery(delivery, { status: 'dead', nextAttemptAt: null })
  answer.resolve(200)
  await becomes(delivery, { status: 'ok' })
})
