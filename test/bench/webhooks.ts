import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { webhookDeliveries } from '../../db/schema/webhooks.ts'
import { newDelivery } from '../../domain/webhooks/queue-deliveries.ts'
import { signatureHeader } from '../../domain/webhooks/signature.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'
import { systemLookup } from '../../runtime/node/guarded-lookup.ts'
import { nodeOutbound } from '../../runtime/node/outbound.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { startBareServer } from './bare-server.ts'
import { benchDirectory } from './bench-directory.ts'
import { addAccount, createToken } from './commands.ts'
import { httpClient, timed } from './http-client.ts'
import type { HttpClient } from './http-client.ts'
import { startLabServers } from './lab-servers.ts'
import { memoryOf, until } from './processes.ts'
import { sidecarOf, startService } from './service.ts'
import { median, percentile } from './statistics.ts'
import { mebibytes, ms, number } from './table.ts'
import type { Row } from './table.ts'
import { untilSynced } from './until-synced.ts'
import { measureWebhookLatency } from './webhook-latency.ts'

const PATH = '/api/v1/webhooks'
const PINGS = 200
const PING_BAR_MS = 25
const DELIVERIES = 4_000
const RATIO_BAR = 0.3
const WAITING = 10_000
const REQUESTS = 200
const REQUEST_BAR_MS = 25
const GROWTH_BAR_BYTES = 32 * 1_048_576
const SETTLED_MS = 3_000
const ASKED_EVERY_MS = 100
const WITHIN_MS = 180_000

interface Setup {
  readonly api: HttpClient
  readonly store: Store
  readonly sidecarPid: number
}

/** Deliveries to receivers of the same machine. */
export async function measureWebhooks(stack: AsyncDisposableStack): Promise<readonly Row[]> {
  const directory = await benchDirectory(stack)
  const dataDir = join(directory, 'data')
  const service = await startService(directory, dataDir)
  stack.defer(() => service.stop())
  const api = httpClient(service.url, await createToken(dataDir))
  stack.defer(() => api.close())
  const store = openFileStore(`file:${join(dataDir, 'svc.db')}`)
  stack.defer(() => store.close())
  const receiver = await startBareServer(directory)
  stack.defer(() => receiver.stop())
  const setup = { api, store, sidecarPid: await sidecarOf(service) }
  const servers = await startLabServers(stack)
  const user = await servers.addUser()
  const { dovecot, smtp } = servers
  const imap = { host: dovecot.host, port: dovecot.imapPort }
  await addAccount(dataDir, { imap, smtp, user })
  await untilSynced(api, { accounts: 1, messages: 0 })
  await delay(SETTLED_MS)
  return [
    ...(await measureWebhookLatency({ api, servers, user })),
    await pings(setup),
    await sustained(setup, receiver.url, { endpoints: 1, atOnce: 4, bar: 400 }),
    await sustained(setup, receiver.url, { endpoints: 50, atOnce: 64, bar: 1_000 }),
    ...(await whileManyWait(setup, stack)),
  ]
}

const create = async ({ api }: Setup, url: string, active = true): Promise<number> => {
  const created = await api.send('POST', PATH, { url, events: [], active })
  return (JSON.parse(created.toString()) as { webhook: { id: number } }).webhook.id
}

/** From the request for a test to its arrival: the commit, the wake of the sidecar, the attempt. */
async function pings(setup: Setup): Promise<Row> {
  let arrived: (() => void) | undefined
  const server = createServer((request, response) => {
    arrived?.()
    request.resume().on('end', () => response.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const id = await create(setup, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const tookMs: number[] = []
  for (let n = 0; n < PINGS; n += 1) {
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    tookMs.push(
      await timed(() => Promise.all([arrival, setup.api.send('POST', `${PATH}/${id}/test`, {})])),
    )
  }
  server.closeAllConnections()
  server.close()
  return {
    work: `a test of a webhook, from the request to its arrival and the answer, ${PINGS} one by one, p50 / p95`,
    figure: `${ms(median(tookMs))} / ${ms(percentile(tookMs, 0.95))}`,
    bar: `p50 ${ms(PING_BAR_MS)}`,
    met: median(tookMs) <= PING_BAR_MS,
  }
}

/** Queued while paused and resumed together, so that only deliveries are measured. */
async function sustained(
  setup: Setup,
  url: string,
  { endpoints, atOnce, bar }: { endpoints: number; atOnce: number; bar: number },
): Promise<Row> {
  const floor = await postsPerSecond(url, atOnce)
  const ids: number[] = []
  for (let n = 0; n < endpoints; n += 1) ids.push(await create(setup, `${url}/${n}`, false))
  for (const id of ids) await queue(setup.store, id, DELIVERIES / endpoints)
  const startMs = performance.now()
  await Promise.all(ids.map((id) => setup.api.send('POST', `${PATH}/${id}/resume`, {})))
  for (const id of ids.toReversed())
    await until('all deliveries', WITHIN_MS, async () => {
      if ((await waitingOf(setup, id)) === 0) return true
      // To ask often costs those that are measured.
      await delay(ASKED_EVERY_MS)
      return undefined
    })
  const perSecond = DELIVERIES / ((performance.now() - startMs) / 1_000)
  return {
    work: `deliveries to ${endpoints === 1 ? 'one receiver' : `${endpoints} receivers`}, ${DELIVERIES} that waited`,
    figure: `${number(perSecond)} /s`,
    floor: `${number(floor)} /s (signs and posts, nothing else)`,
    ratio: number(perSecond / floor),
    bar: `${number(bar)} /s and ${RATIO_BAR} of the floor`,
    met: perSecond >= bar && perSecond / floor >= RATIO_BAR,
  }
}

async function waitingOf({ api }: Setup, id: number): Promise<number> {
  const { stats } = await api.json<{ stats: { pending: number; failing: number } }>(`${PATH}/${id}`)
  return stats.pending + stats.failing
}

/** The same client, in this process. */
async function postsPerSecond(url: string, atOnce: number): Promise<number> {
  const outbound = nodeOutbound({ networks: 'private', lookup: systemLookup })
  const { body, deliveryId } = delivery(1, 0)
  const limits = { deadlineMs: 10_000, replyBytesMax: 2_048, redirectsMax: 2 }
  const post = () =>
    outbound.send({
      method: 'POST',
      url,
      body,
      limits,
      headers: {
        'Content-Type': 'application/json',
        'X-Svc-Event': 'message.received',
        'X-Svc-Delivery-Id': deliveryId,
        'X-Svc-Signature': signatureHeader('whsec_0123456789abcdef', body, new Date()),
      },
    })
  let left = DELIVERIES
  const startMs = performance.now()
  const postOn = async () => {
    while (left-- > 0) await post()
  }
  await Promise.all(Array.from({ length: atOnce }, postOn))
  return DELIVERIES / ((performance.now() - startMs) / 1_000)
}

/** Of about the size of a message.received. */
const delivery = (webhookId: number, createdAt: number) =>
  newDelivery(webhookId, {
    kind: 'message.received',
    createdAt,
    data: { subject: 'The engine '.repeat(5), snippet: 'We may say most aptly. '.repeat(8) },
  })

async function queue(store: Store, webhookId: number, count: number): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count - from) }, () =>
      delivery(webhookId, Date.now()),
    )
    await store.durableTransaction((tx) => tx.insert(webhookDeliveries).values(rows))
  }
}

/** A receiver that never answers. */
async function whileManyWait(setup: Setup, stack: AsyncDisposableStack): Promise<readonly Row[]> {
  const { api, store, sidecarPid } = setup
  const never = createServer(() => undefined)
  stack.defer(() => {
    never.closeAllConnections()
    never.close()
  })
  never.listen(0, '127.0.0.1')
  await once(never, 'listening')
  const id = await create(setup, `http://127.0.0.1:${(never.address() as AddressInfo).port}/`)
  const before = memoryOf(sidecarPid).bytes
  await queue(store, id, WAITING)
  await api.send('POST', `${PATH}/${id}/resume`, {})
  const tookMs: number[] = []
  for (let n = 0; n < REQUESTS; n += 1) {
    tookMs.push(
      await timed(() => api.get(n % 2 === 0 ? `${PATH}/${id}` : `${PATH}/${id}/deliveries`)),
    )
    await delay(20)
  }
  const grown = memoryOf(sidecarPid).bytes - before
  return [
    {
      work: `GET a webhook and its log while ${WAITING} of its deliveries wait, p50 / p95`,
      figure: `${ms(median(tookMs))} / ${ms(percentile(tookMs, 0.95))}`,
      bar: `p95 ${ms(REQUEST_BAR_MS)}`,
      met: percentile(tookMs, 0.95) <= REQUEST_BAR_MS,
    },
    {
      work: 'what they add to the memory of the sidecar',
      figure: mebibytes(Math.max(0, grown)),
      bar: mebibytes(GROWTH_BAR_BYTES),
      met: grown <= GROWTH_BAR_BYTES,
    },
  ]
}
