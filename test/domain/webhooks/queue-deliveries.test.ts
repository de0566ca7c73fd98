import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../../db/schema/events.ts'
import type { MailEvent } from '../../../domain/events/mail-event.ts'
import { unitOfWork } from '../../../domain/unit-of-work.ts'
import type { WakeTopic } from '../../../runtime/ports/wake.ts'
import { harness } from '../../support/harness.ts'
import { webhookRows } from '../../support/webhooks.ts'

async function setUp() {
  const woken: WakeTopic[] = []
  const wake = { now: (topic: WakeTopic) => void woken.push(topic), wait: async () => undefined }
  const h = await harness({ ports: { wake } })
  onTestFinished(h.close)
  const account = await h.make.account({ name: 'Work' })
  const message = await h.make.message(await h.make.inbox(account.id))
  const rows = webhookRows(h.runtime)
  const tell = (...emitted: readonly MailEvent[]) =>
    unitOfWork(h.runtime, ({ emit }) => emit(emitted))
  const received: MailEvent = { kind: 'message.received', messageId: message.id }
  const troubled: MailEvent = { kind: 'sync.error', accountId: account.id, error: 'No.' }
  return { h, rows, woken, tell, received, troubled }
}

test('an event is queued for every endpoint that subscribes, paused ones too, none switched off by us', async () => {
  const { rows, tell, received, woken, h } = await setUp()
  const wants = await rows.create({ events: ['sync.error', 'message.received'] })
  const paused = await rows.create({ events: ['message.received'], active: false })
  await rows.create({ events: ['sync.error'] })
  await rows.create({ events: [] })
  const off = await rows.create({ events: ['message.received'], active: false })
  await rows.set(off.id, { autoDisabledAt: 1 })
  await tell(received)
  const nowMs = h.clock.now().getTime()
  const queued = await rows.deliveries()
  expect(queued).toMatchObject(
    [wants, paused].map(({ id }) => ({
      webhookId: id,
      event: 'message.received',
      status: 'pending',
      attempts: 0,
      nextAttemptAt: nowMs,
      createdAt: nowMs,
    })),
  )
  expect(new Set(queued.map(({ deliveryId }) => deliveryId)).size).toBe(2)
  expect(woken).toEqual(['events', 'webhooks'])
})

test('its body is the envelope of the event that is stored with it', async () => {
  const { h, rows, tell, received } = await setUp()
  await rows.create({ events: ['message.received'] })
  await tell(received)
  const [delivery] = await rows.deliveries()
  const [event] = await h.runtime.store.read.select().from(events)
  expect(JSON.parse(new TextDecoder().decode(delivery?.body))).toEqual({
    id: delivery?.deliveryId,
    event: 'message.received',
    created_at: '2026-03-01T12:00:00.000Z',
    data: event?.data,
  })
  expect(event?.data).toMatchObject({ account: 'Work', folder: 'INBOX' })
})

test('a change that is rolled back tells nobody', async () => {
  const { h, rows, woken, received } = await setUp()
  await rows.create({ events: ['message.received'] })
  const failing = unitOfWork(h.runtime, async ({ emit }) => {
    await emit([received])
    throw new Error('The disk is full.')
  })
  await expect(failing).rejects.toThrow('full')
  expect(await rows.deliveries()).toEqual([])
  expect(woken).toEqual([])
})

test('without endpoints nothing is queued and nobody is woken for it', async () => {
  const { rows, tell, received, woken } = await setUp()
  await tell(received)
  expect(await rows.deliveries()).toEqual([])
  expect(woken).toEqual(['events'])
})

test('of what is settled the newest hundred rows are kept, what waits is never forgotten', async () => {
  const { rows, tell, troubled } = await setUp()
  const { id } = await rows.create()
  const other = await rows.create({ events: [] })
  const settled = { status: 'ok', nextAttemptAt: null } as const
  await rows.queue(other.id, 120, settled)
  const old = await rows.queue(id, 60, settled)
  const waiting = await rows.queue(id, 60, { status: 'failed' })
  const recent = await rows.queue(id, 60, { ...settled, status: 'dead' })
  await tell(troubled)
  const kept = (await rows.deliveries()).filter(({ webhookId }) => webhookId === id)
  expect(kept.slice(0, -1).map((row) => row.id)).toEqual([...waiting, ...recent])
  expect(old).toHaveLength(60)
  for (let n = 0; n < 50; n++) await tell(troubled)
  const later = (await rows.deliveries()).filter(({ webhookId }) => webhookId === id)
  expect(later.filter(({ status }) => status === 'dead')).toHaveLength(49)
  expect(later.filter(({ status }) => status === 'failed')).toHaveLength(60)
  expect((await rows.deliveries()).filter(({ webhookId }) => webhookId === other.id)).toHaveLength(
    120,
  )
})

test('ten thousand may wait; then the oldest is given up for each new one, and the owner hears of it once', async () => {
  const { rows, tell, troubled } = await setUp()
  const { id } = await rows.create({ url: 'https://hooks.example.org/secret-path', active: false })
  const [first, second, third] = await rows.queue(id, 9_999)
  await tell(troubled)
  expect(await rows.notices()).toEqual([])
  await tell(troubled)
  const statusOf = async (rowId: number | undefined) =>
    (await rows.deliveries()).find((row) => row.id === rowId)
  expect(await statusOf(first)).toMatchObject({
    status: 'dead',
    nextAttemptAt: null,
    lastError: expect.stringContaining('queue full'),
  })
  await tell(troubled)
  expect(await statusOf(first)).toBeUndefined()
  expect(await statusOf(second)).toMatchObject({ status: 'dead' })
  expect(await statusOf(third)).toMatchObject({ status: 'pending' })
  const waiting = (await rows.deliveries()).filter(({ status }) => status === 'pending')
  expect(waiting).toHaveLength(10_000)
  const notices = await rows.notices()
  expect(notices).toMatchObject([{ kind: 'webhook_queue_full', webhookId: id, accountId: null }])
  expect(notices[0]?.text).toContain('hooks.example.org')
  expect(notices[0]?.text).not.toContain('secret-path')
})
