import { setTimeout as sleep } from 'node:timers/promises'
import { count, getTableColumns, notInArray } from 'drizzle-orm'
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
/** In a long run long enough that much of what waits goes out between kills. */
const KILLED_WITHIN_MS = IS_LONG ? 2_000 : 400
const IN_FLIGHT_MAX = 64
/** The endpoint that is gone: nothing it got may count as taken. */
const GONE = '/0'
/** Outcomes that were not written down yet. */
const UNWRITTEN_MAX = 256
const ASKED_EVERY_MS = 250
const SETTLED_WITHIN_MS = IS_LONG ? 600_000 : 60_000

test(
  `${EVENTS * ENDPOINTS} deliveries through ${KILLS} kills: each arrives, and what the log says did`,
  async () => {
    const random = seededRandom(20_261_123)
    const { service, store, client: api } = await startWebhookService()
    /** Ids of deliveries that were answered with 2xx. */
    const taken = new Set<string>()
    const receiver = await webhookReceiver((response, { path, headers }) =>
      setTimeout(
        () => {
          if (path === GONE) return response.writeHead(410).end()
          response.end('noted')
          return taken.add(String(headers['x-svc-delivery-id']))
        },
        random.integer(0, 20),
      ),
    )
    for (let n = 0; n < ENDPOINTS; n++)
      await api('POST', '/webhooks', { url: `${receiver.url}${n}`, events: ['sync.error'] })

    const queue = (n: number) =>
      store.durableTransaction((tx) => {
        const event = { kind: 'sync.error', accountId: 1, data: { error: `No. ${n}` } } as const
        return queueDeliveries(tx, [{ ...event, createdAt: Date.now() }])
      })
    const { deliveryId, status } = getTableColumns(webhookDeliveries)
    const statuses = () => store.read.select({ deliveryId, status }).from(webhookDeliveries)
    const open = async () => {
      const isOpen = notInArray(status, ['ok', 'dead'])
      const counted = await store.read.select({ n: count() }).from(webhookDeliveries).where(isOpen)
      return counted[0]?.n
    }
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
      for (const row of await statuses())
        if (row.status === 'ok') expect(taken.has(row.deliveryId)).toBe(true)
    }

    await eventually(async () => {
      // While the store is read here, the receiver answers nobody.
      await sleep(ASKED_EVERY_MS)
      expect(await open()).toBe(0)
    }, SETTLED_WITHIN_MS)
    const sent = arrivals()
    const stored = await store.read.select().from(webhookDeliveries)
    expect(stored).toHaveLength(EVENTS * ENDPOINTS)
    for (const row of stored) {
      const requests = sent.get(row.deliveryId) ?? []
      expect(requests.length).toBeGreaterThan(0)
      expect(requests.every(({ body }) => body.equals(row.body))).toBe(true)
      const isGone = requests.some(({ path }) => path === GONE)
      expect(row.status).toBe(isGone ? 'dead' : 'ok')
      expect(taken.has(row.deliveryId)).toBe(!isGone)
    }
    // Only what was under way, or not written down, when a sidecar was killed comes again.
    const repeated = receiver.received.length - stored.length
    expect(repeated).toBeLessThanOrEqual(KILLS * (IN_FLIGHT_MAX + UNWRITTEN_MAX))
  },
  2 * SETTLED_WITHIN_MS,
)
