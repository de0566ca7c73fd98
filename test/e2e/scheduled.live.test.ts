import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { type HostileSmtp, startHostileSmtp } from '../lab/hostile-smtp.ts'
import { eventually } from '../support/eventually.ts'
import { entries } from '../support/outgoing.ts'
import { inSync, setUpSending, startSidecar } from '../support/sending-service.ts'

const BURST = process.env['SVC_TEST_LONG'] === '1' ? 1_000 : 100
const BURST_LEAVES_WITHIN_MS = 60_000
const LATER_MS = 60 * 60_000

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

async function setUp() {
  const smtp = await startHostileSmtp()
  onTestFinished(() => smtp.stop())
  const setup = await setUpSending(dovecot, await dovecot.addUser(), smtp)
  onTestFinished(setup.remove)
  const sidecar = await startSidecar(setup)
  await inSync(setup)
  return { ...setup, smtp, sidecar }
}

/** When each message came, by its subject. */
async function arrivals({ complete }: HostileSmtp, count: number, withinMs: number) {
  const at = new Map<string, number>()
  const deadline = performance.now() + withinMs
  let seen = 0
  while (seen < count && performance.now() < deadline) {
    const now = Date.now()
    for (const { source } of complete.slice(seen))
      at.set(/^Subject: (.*)\r$/m.exec(source.toString())?.[1] ?? '', now)
    seen = complete.length
    await sleep(2)
  }
  return at
}

test('scheduled messages leave within a second of their time, and none before', async () => {
  const { smtp, queue } = await setUp()
  const begunMs = Date.now()
  const times = [1_300, 1_850, 2_400, 3_333].map((ms) => begunMs + ms)
  for (const sendAt of times) await queue({ sendAt, message: { subject: String(sendAt) } })
  const at = await arrivals(smtp, times.length, 10_000)
  for (const sendAt of times) {
    const lateMs = (at.get(String(sendAt)) ?? Infinity) - sendAt
    expect(lateMs).toBeGreaterThanOrEqual(0)
    expect(lateMs).toBeLessThan(1_000)
  }
})

test(`${BURST} messages for the same second leave within a minute over five connections, each once`, async () => {
  const { smtp, store, queue } = await setUp()
  for (let count = 0; count < BURST; count += 1)
    await queue({ sendAt: Date.now() + LATER_MS, message: { subject: `Message ${count}` } })
  const sendAt = Date.now() + 1_000
  await store.commit((write) => [write.update(outbox).set({ sendAt, nextAttemptAt: sendAt })])
  const at = await arrivals(smtp, BURST, 1_000 + BURST_LEAVES_WITHIN_MS)
  expect(at.size).toBe(BURST)
  expect(Math.max(...at.values()) - sendAt).toBeLessThan(BURST_LEAVES_WITHIN_MS)
  expect(smtp.connections().mostOpen).toBeLessThanOrEqual(5)
  await eventually(async () => {
    const rows = await entries(store)
    expect(rows.filter(({ status, copy }) => status === 'sent' && copy === 'filed')).toHaveLength(
      BURST,
    )
    expect(await store.read.select().from(events)).toHaveLength(BURST)
  }, 120_000)
  expect(smtp.complete).toHaveLength(BURST)
}, 300_000)

test('who is refused for now gets it later, once, also where the process is killed meanwhile', async () => {
  const { smtp, queue, store, sidecar, ...setup } = await setUp()
  const refuse = (...names: readonly string[]) =>
    smtp.behave({
      react(moment, line) {
        if (moment === 'RCPT' && names.some((name) => line.includes(name)))
          return { say: '450 4.2.1 Mailbox busy' }
        // The last of them: the server has the whole message and never says so.
        return moment === 'end' && names.length === 0 ? {} : undefined
      },
    })
  const tryAgain = () => store.commit((write) => [write.update(outbox).set({ nextAttemptAt: 0 })])
  const became = (row: object) =>
    eventually(async () => expect(await entries(store)).toMatchObject([row]), 20_000)
  refuse('eve', 'zed')
  const [to, cc] = ['bob', 'eve'].map((name) => [{ address: `${name}@example.net` }])
  await queue({ message: { to: to ?? [], cc: cc ?? [], bcc: [{ address: 'zed@example.net' }] } })
  await became({ status: 'scheduled', copy: 'filed', waiting: [{}, {}] })
  await eventually(async () => expect(await store.read.select().from(events)).toHaveLength(1))
  refuse('zed')
  await tryAgain()
  await became({ status: 'scheduled', waiting: [{ address: 'zed@example.net' }] })
  refuse()
  await tryAgain()
  await eventually(async () => expect(smtp.complete).toHaveLength(3))
  sidecar.process.kill('SIGKILL')
  await sidecar.ended
  await became({ status: 'sending' })
  await store.commit((write) => [write.update(outbox).set({ claimedUntil: 0 })])
  await startSidecar({ ...setup, store })
  await became({
    status: 'sent',
    waiting: null,
    refused: [],
    error: expect.stringContaining('zed@example.net') as unknown,
  })
  expect(smtp.complete.map(({ recipients }) => recipients)).toEqual([
    ['bob@example.net'],
    ['eve@example.net'],
    ['zed@example.net'],
  ])
  const [first, ...others] = smtp.complete.map(({ source }) => source.toString('latin1'))
  expect(others).toEqual([first, first])
  expect(await store.read.select().from(events)).toMatchObject([{ kind: 'message.sent' }])
}, 60_000)
