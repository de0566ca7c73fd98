import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'
import { memoryOf } from '../bench/processes.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import { eventually } from '../support/eventually.ts'
import { freePorts } from '../../cli/commands/local/demo/loopback.ts'
import { kill, run, setUpService } from '../support/killable-service.ts'
import { startService, startSvc, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const LISTENERS = process.env['SVC_TEST_LONG'] === '1' ? 500 : 40
const EVENTS = 1_500
const EVENT_BYTES = 4_096
const MIB = 1024 * 1024

interface Told {
  readonly id: number
  readonly event: string
}

test('whichever process is killed, the command misses no event and tells none twice', async () => {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const user = await dovecot.addUser()
  const scopes = 'mail:read accounts:read webhooks:manage'
  const set = await setUpService(dovecot, user, { scopes })
  onTestFinished(() => set.remove())
  // Whoever comes back has to find it at the same address.
  const [port] = await freePorts(1)
  const setup = { ...set, env: { ...set.env, SVC_PORT: String(port) } }
  let running = await run(setup)
  await eventually(async () => expect(await running.api.isSynced()).toBe(true), 30_000)

  const client = { SVC_URL: running.service.url, SVC_TOKEN: setup.token }
  const listener = startSvc(['mail', 'webhooks', 'listen', '--json'], { env: client })
  await eventually(async () => expect(listener.stderr()).toContain('Ready'))
  const told = () =>
    listener
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Told)
  const deliver = (subject: string) =>
    dovecot.deliver(user, `Subject: ${subject}\r\nMessage-ID: <${subject}@x>\r\n\r\nHello.\r\n`)
  const expectTold = (count: number) =>
    eventually(async () => expect(told()).toHaveLength(count), 40_000)

  await deliver('first')
  await expectTold(1)
  for (const [index, victim] of (['sidecar', 'handlers'] as const).entries()) {
    const killed = kill(setup, running, victim)
    await deliver(`while-${victim}`)
    running = await killed
    await expectTold(index + 2)
  }
  const stored = await setup.store.read.select().from(events).orderBy(events.id)
  expect(told().map(({ id, event }) => ({ id, event }))).toEqual(
    stored.map(({ id, kind }) => ({ id, event: kind })),
  )
  expect(listener.stderr()).toMatch(/^Ready: [^\n]+\nNo connection: /)
  expect(listener.stderr()).toContain('Connected again')
})

test('many listeners, half of them stalled: memory stays, nothing is lost, and a stop is prompt', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const dataDir = join(directory.path, 'data')
  const env = { SVC_DATA_DIR: dataDir, SVC_API_RATE_LIMIT: '0' }
  const service = await startService(['serve', '--handlers-only'], { env })
  const scopes = ['--scopes', 'webhooks:manage']
  const token = await svc(['token', 'create', '--label', 'test', ...scopes], { env })
  const store = openFileStore(`file:${join(dataDir, 'svc.db')}`)
  onTestFinished(() => store.close())

  const listen = async (query = ''): Promise<IncomingMessage> => {
    const headers = { Authorization: `Bearer ${token.stdout.trim()}` }
    const request = get(`${service.url}/api/v1/webhooks/listen${query}`, { headers, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    return response
  }
  /** The ids of so many events, in order of arrival. */
  const idsOf = async (response: IncomingMessage, count: number): Promise<readonly number[]> => {
    const ids: number[] = []
    for await (const line of createInterface(response)) {
      const { type, id, dropped } = JSON.parse(line) as { type: string; id: number; dropped?: 1 }
      expect(dropped).toBeUndefined()
      if (type === 'event') ids.push(id)
      if (ids.length === count) break
    }
    return ids
  }
  let isToldToAll = false
  /** How many others are answered while events are told. */
  const answeredMeanwhile = async (): Promise<number> => {
    for (let answered = 0; ; answered += 1) {
      if (isToldToAll) return answered
      expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
    }
  }
  const all = Array.from({ length: EVENTS }, (_, index) => index + 1)

  const responses = await Promise.all(Array.from({ length: LISTENERS }, () => listen()))
  const stalled = responses.slice(LISTENERS / 2)
  const before = memoryOf(service.pid).bytes
  const reading = responses.slice(0, LISTENERS / 2).map((response) => idsOf(response, EVENTS))
  const rows = all.map((id) => ({
    kind: 'sync.error' as const,
    accountId: 1,
    data: { account: 'Ada', error: `${id} ${'x'.repeat(EVENT_BYTES)}` },
    createdAt: Date.now(),
  }))
  await store.transaction((tx) => tx.insert(events).values(rows))
  const answering = answeredMeanwhile()
  for (const ids of await Promise.all(reading)) expect(ids).toEqual(all)
  isToldToAll = true
  expect(await answering).toBeGreaterThan(10)
  // All of it for each that stalled would be six megabytes each.
  const grown = memoryOf(service.pid).peakBytes - before
  expect(grown).toBeLessThan((stalled.length * EVENTS * EVENT_BYTES) / 2)
  expect(grown).toBeLessThan(120 * MIB)
  for (const response of stalled.slice(0, 3)) expect(await idsOf(response, EVENTS)).toEqual(all)

  const cut = await idsOf(await listen('?since=0'), 200)
  const rest = await idsOf(await listen(`?since=${cut.at(-1)}`), EVENTS - 200)
  expect([...cut, ...rest]).toEqual(all)

  const ended = once((await listen()).resume(), 'end')
  for (const response of responses) response.destroy()
  const startedAtMs = performance.now()
  service.process.kill('SIGTERM')
  await ended
  expect(await service.ended).toBe(0)
  expect(performance.now() - startedAtMs).toBeLessThan(3_000)
})
