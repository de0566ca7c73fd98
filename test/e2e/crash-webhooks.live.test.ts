import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { webhookDeliveries } from '../../db/schema/webhooks.ts'
import { queueDeliveries } from '../../domain/webhooks/queue-deliveries.ts'
import { childOf } from '../bench/processes.ts'
import { webhookReceiver } from '../lab/webhook-receiver.ts'
import { eventually } from '../support/eventually.ts'
import { startWebhookService } from '../support/webhook-service.ts'

const IS_LONG = process.env['SVC_TEST_LONG'] === '1'
const KILLS = IS_LONG ? 30 : 3
const ENDPOINTS = IS_LONG ? 250 : 10
/** Below what the log keeps of each endpoint. */
const EVENTS = IS_LONG ? 80 : 20
const KILLED_WITHIN_MS = 400
const IN_FLIGHT_MAX = 64
/** Outcomes that were not written down yet. */
const UNWRITTEN_MAX = 256
const SETTLED_WITHIN_MS = IS_LONG ? 600_000 : 60_000

test(
  `${EVENTS * ENDPOINTS} deliveries through ${KILLS} kills: each arrives, and what the log says did`,
  async () => {
    const random = seededRandom(20_261_123)
    const { service, store, client: api } = await startWebhookService()
    const receiver = await webhookReceiver((response) =>
      setTimeout(() => response.end('noted'), random.integer(0, 20)),
    )
    for (let n = 0; n < ENDPOINTS; n++)
      await api('POST', '/webhooks', { url: `${receiver.url}${n}`, events: ['sync.error'] })

    const queue = (n: number) =>
      store.durableTransaction((tx) => {
        const event = { kind: 'sync.error', accountId: 1, data: { error: `No. ${n}` } } as const
        return queueDeliveries(tx, [{ ...event, createdAt: Date.now() }])
      })
    const rows = () => store.read.select().from(webhookDeliveries)
    const arrivals = () =>
      Map.groupBy(receiver.received, ({ headers }) => String(headers['x-svc-delivery-id']))

    let queued = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const until = Math.floor(((kill + 1) * EVENTS) / KILLS)
      while (queued < until) await queue(queued++)
      const before = receiver.received.length
      await eventually(
        async () => expect(receiver.received.length).toBeGreaterThan(before),
        SETTLED_WITHIN_MS,
      )
      await sleep(random.integer(0, KILLED_WITHIN_MS))
      const sidecar = childOf(service.pid, 'sidecar')
      if (sidecar !== undefined) process.kill(sidecar, 'SIGKILL')
      const taken = (await rows()).filter(({ status }) => status === 'ok')
      for (const { deliveryId } of taken) expect(arrivals().has(deliveryId)).toBe(true)
    }

    await eventually(async () => {
      const open = (await rows()).filter(({ status }) => status !== 'ok')
      expect(open.length).toBe(0)
    }, SETTLED_WITHIN_MS)
    const sent = arrivals()
    const stored = await rows()
    expect(stored).toHaveLength(EVENTS * ENDPOINTS)
    for (const { deliveryId, body } of stored) {
      const requests = sent.get(deliveryId) ?? []
      expect(requests.length).toBeGreaterThan(0)
      expect(requests.every((request) => request.body.equals(body))).toBe(true)
    }
    // Only what was under way, or not written down, when a sidecar was killed comes again.
    const repeated = receiver.received.length - stored.length
    expect(repeated).toBeLessThanOrEqual(KILLS * (IN_FLIGHT_MAX + UNWRITTEN_MAX))
  },
  2 * SETTLED_WITHIN_MS,
)
