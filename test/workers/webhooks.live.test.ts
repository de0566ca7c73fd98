import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { unitOfWork } from '../../domain/unit-of-work.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import { type LookupAll, systemLookup } from '../../runtime/node/guarded-lookup.ts'
import { nodeOutbound } from '../../runtime/node/outbound.ts'
import { serve, serveBytes } from '../lab/http-server.ts'
import { webhookReceiver } from '../lab/webhook-receiver.ts'
import { isSignedWith } from '../lab/webhook-signature.ts'
import { startDrain } from '../support/draining.ts'
import { eventually } from '../support/eventually.ts'
import { harness } from '../support/harness.ts'
import { webhookRows } from '../support/webhooks.ts'

const IS_LONG = process.env['SVC_TEST_LONG'] === '1'

/** A store, and a sidecar that delivers over real sockets. */
async function setUp({
  lookup = systemLookup,
  networks = 'private',
}: { lookup?: LookupAll; networks?: 'private' | 'public' } = {}) {
  const outbound = nodeOutbound({ networks, lookup })
  const h = await harness({ ports: { clock: systemClock, outbound } })
  onTestFinished(h.close)
  const { runtime } = h
  const account = await h.make.account()
  const rows = webhookRows(runtime)
  startDrain(runtime, outbound)
  /** Tells an event as a sync does. */
  const tell = (error: string) =>
    unitOfWork(runtime, ({ emit }) => emit([{ kind: 'sync.error', accountId: account.id, error }]))
  const becomes = (id: number, expected: object) =>
    eventually(async () => {
      const row = (await rows.deliveries()).find((one) => one.id === id)
      expect(row).toMatchObject(expected)
    }, 30_000)
  return { h, runtime, rows, tell, becomes }
}

const p = (share: number, values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN

test('an event reaches its receiver within milliseconds, signed, over a connection that is kept', async () => {
  const { rows, tell } = await setUp()
  const receiver = await webhookReceiver()
  const { id, secret } = await rows.create({ url: receiver.url })
  const tookMs: number[] = []
  for (let n = 0; n < 30; n++) {
    await tell(`No. ${n}`)
    const committedMs = performance.now()
    await eventually(async () => expect(receiver.received).toHaveLength(n + 1))
    tookMs.push((receiver.received[n]?.atMs ?? Infinity) - committedMs)
  }
  // A few where nothing else runs on the machine.
  expect(p(0.5, tookMs)).toBeLessThan(50)
  for (const [n, request] of receiver.received.entries()) {
    expect(request).toMatchObject({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'svc-webhooks/1',
        'x-svc-event': 'sync.error',
      },
    })
    expect(isSignedWith(request, secret)).toBe(true)
    expect(isSignedWith(request, `${secret}x`)).toBe(false)
    expect(JSON.parse(request.body.toString())).toEqual({
      id: request.headers['x-svc-delivery-id'],
      event: 'sync.error',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { account: expect.any(String), error: `No. ${n}` },
    })
  }
  // A second one where an event came before the answer to the last was read.
  expect(receiver.connections()).toBeLessThanOrEqual(2)
  await eventually(async () =>
    expect((await rows.deliveries()).map((row) => [row.webhookId, row.status])).toEqual(
      Array.from({ length: 30 }, () => [id, 'ok']),
    ),
  )
})

const FAST = IS_LONG ? 50 : 10
const EVENTS = IS_LONG ? 10_000 / FAST : 20
const EVERY_MS = 100
/** Told at once, to see what can be sustained. */
const BURST = 30

test(`${FAST} fast receivers are told at once beside one that never answers and one that takes 9 s`, async () => {
  const { rows, tell } = await setUp()
  const told = new Map<string, number>()
  let arrivals: (readonly [name: string, atMs: number])[] = []
  const never = await webhookReceiver(() => undefined)
  const slow = await webhookReceiver((response) => setTimeout(() => response.end(), 9_000))
  await rows.create({ url: never.url })
  await rows.create({ url: slow.url })
  for (let n = 0; n < FAST; n++) {
    const { url } = await webhookReceiver((response, { body, atMs }) => {
      const { data } = JSON.parse(body.toString()) as { data: { error: string } }
      arrivals.push([data.error, atMs])
      response.end()
    })
    await rows.create({ url })
  }
  /** How long each was under way. */
  const offer = async (count: number, everyMs: number) => {
    arrivals = []
    for (let n = 0; n < count; n++) {
      const next = sleep(everyMs)
      await tell(`No. ${n}`)
      told.set(`No. ${n}`, performance.now())
      await next
    }
    await eventually(async () => expect(arrivals.length).toBe(FAST * count), 60_000)
    return arrivals.map(([name, atMs]) => atMs - (told.get(name) ?? Number.NaN))
  }
  let everyMs = EVERY_MS
  if (IS_LONG) {
    const startMs = performance.now()
    await offer(BURST, 0)
    everyMs = (2 * (performance.now() - startMs)) / BURST
  }
  expect(p(0.95, await offer(EVENTS, everyMs))).toBeLessThan(1_000)
  // The two have their own places, and few of them.
  expect(never.received.length).toBeGreaterThan(0)
  expect(slow.received.length).toBeGreaterThan(0)
}, 600_000)

test('a backlog of one endpoint keeps nobody waiting', async () => {
  const { rows } = await setUp()
  const busy = await webhookReceiver()
  const other = await webhookReceiver()
  const { id } = await rows.create({ url: busy.url })
  await rows.queue(id, 600)
  await eventually(async () => expect(busy.received.length).toBeGreaterThan(50))
  const fresh = await rows.create({ url: other.url })
  await rows.queue(fresh.id)
  await eventually(async () => expect(other.received).toHaveLength(1))
  expect(busy.received.length).toBeLessThan(600)
  expect(busy.connections()).toBeLessThanOrEqual(4)
  await eventually(async () => expect(busy.received).toHaveLength(600), 30_000)
  await eventually(async () => {
    const kept = (await rows.deliveries()).filter((row) => row.webhookId === id)
    expect(kept.filter(({ status }) => status !== 'ok')).toEqual([])
    expect(kept).toHaveLength(100)
  })
})

/** Writes for ever, as long as somebody reads; how much was taken. */
function endless(head: string) {
  let taken = 0
  const url = serveBytes(head, (socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'x'))) taken += 65_536
    }
    socket.on('drain', write)
    write()
  })
  return { url, taken: () => taken }
}

test('whatever a receiver does comes to an end, and its lane goes on', async () => {
  const { rows, becomes } = await setUp()
  const taken = endless('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n')
  const refusing = endless('HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n40000000\r\n')
  const bomb = endless('HTTP/1.1 200 OK\r\nX-Bomb: ')
  const redirecting = (status: number, location: string) =>
    serve((request, response) => {
      request.resume()
      response.writeHead(status, { location }).end()
    })
  const cases: readonly (readonly [string, string | Promise<string>, object])[] = [
    [
      'a reply of 1 GB',
      taken.url,
      { status: 'ok', lastStatusCode: 200, responseBody: 'x'.repeat(2_048) },
    ],
    ['a refusal of 1 GB', refusing.url, { status: 'failed', lastStatusCode: 500 }],
    ['an endless header', bomb.url, { status: 'failed', lastStatusCode: null }],
    [
      'endless headers',
      endless(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(100_000)}`).url,
      { status: 'failed' },
    ],
    [
      'one byte a second',
      serve((request, response) => {
        request.resume()
        const timer = setInterval(() => response.write('x'), 1_000)
        response.on('close', () => clearInterval(timer))
      }),
      { status: 'failed', lastError: 'no complete reply within 10 s' },
    ],
    [
      'silence',
      serve(() => undefined),
      { status: 'failed', lastError: 'no complete reply within 10 s' },
    ],
    [
      'broken chunks',
      serveBytes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nboo'),
      { status: 'failed', lastStatusCode: null, lastError: expect.stringMatching(/\w/) },
    ],
    [
      'a reset',
      serveBytes('', (socket) => socket.resetAndDestroy()),
      { status: 'failed', lastStatusCode: null, lastError: expect.stringMatching(/\w/) },
    ],
    [
      'a redirect loop',
      redirecting(307, '/again'),
      { status: 'failed', lastError: expect.stringMatching(/\/again: one redirect too many/) },
    ],
    [
      'a 303',
      redirecting(303, '/other'),
      { status: 'failed', lastError: expect.stringContaining('/other') },
    ],
    [
      'a redirect to where credentials are',
      redirecting(302, 'http://169.254.169.254/latest/'),
      { status: 'failed', lastError: expect.stringContaining('169.254.169.254') },
    ],
    ['a 304', redirecting(304, '/other'), { status: 'failed', lastStatusCode: 304 }],
    [
      'a 410',
      serve((_request, response) => response.writeHead(410).end()),
      { status: 'dead', attempts: 1 },
    ],
    [
      'bytes that are no text',
      serve((_request, response) => response.end(Buffer.from([0, 0xff, 0x41, 0, 0xf0, 0x9f]))),
      { status: 'ok', responseBody: '\uFFFD\uFFFDA\uFFFD' },
    ],
    [
      'nobody there',
      'http://127.0.0.1:1/',
      { status: 'failed', lastError: expect.stringContaining('ECONNREFUSED') },
    ],
    [
      'a name that is not there',
      'http://nothing.invalid/',
      { status: 'failed', lastStatusCode: null },
    ],
  ]
  const queued: (readonly [string, readonly number[], object])[] = []
  for (const [what, url, expected] of cases) {
    const { id } = await rows.create({ url: await url })
    // The second shows that the lane goes on; for those that take 10 s there is no time.
    const takesLong = what === 'silence' || what === 'one byte a second'
    queued.push([what, await rows.queue(id, takesLong ? 1 : 2), expected])
  }
  const well = await webhookReceiver()
  await rows.queue((await rows.create({ url: well.url })).id, 20)
  await eventually(async () => expect(well.received).toHaveLength(20))
  for (const [what, ids, expected] of queued)
    for (const id of ids)
      await becomes(id, expected).catch((cause: unknown) => {
        throw new Error(what, { cause })
      })
  for (const { taken: bytes } of [taken, refusing, bomb])
    expect(bytes()).toBeLessThan(32 * 1024 * 1024)
})

test('a receiver whose name leads elsewhere when it is dialled is not reached', async () => {
  const receiver = await webhookReceiver()
  const { port } = new URL(receiver.url)
  const lookup = async () => ['127.0.0.1']
  const { rows, becomes } = await setUp({ lookup, networks: 'public' })
  const { id } = await rows.create({ url: `http://hooks.example.org:${port}/` })
  const [delivery = 0] = await rows.queue(id)
  await becomes(delivery, {
    status: 'failed',
    attempts: 1,
    lastError: expect.stringContaining('SVC_WEBHOOK_NETWORKS=public'),
  })
  expect(receiver.received).toEqual([])
})
