import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { events } from '../../db/schema/events.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { startHostileSmtp } from '../lab/hostile-smtp.ts'
import { eventually } from '../support/eventually.ts'
import { expectWhole } from '../support/killable-service.ts'
import { entries } from '../support/outgoing.ts'
import { inSync, killSidecar, setUpSending, startSidecar } from '../support/sending-service.ts'

const IS_LONG = process.env['SVC_TEST_LONG'] === '1'
const KILLS = IS_LONG ? 100 : 8
const MESSAGES_PER_KILL = IS_LONG ? 2 : 5
const KILLED_WITHIN_MS = 300
const ANSWER_MS = 60
const SETTLED_WITHIN_MS = 120_000

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

test(
  `through ${KILLS} kills each message is sent at most once, and exactly once unless its outcome is unknown`,
  async () => {
    const random = seededRandom(20_261_121)
    const smtp = await startHostileSmtp({
      react: (moment) =>
        moment === 'end' ? { say: '250 Taken', delayMs: random.integer(0, ANSWER_MS) } : undefined,
    })
    onTestFinished(() => smtp.stop())
    const user = await dovecot.addUser()
    const setup = await setUpSending(dovecot, user, smtp)
    onTestFinished(setup.remove)
    let sidecar = await startSidecar(setup)
    await inSync(setup)

    for (let kills = 0; kills < KILLS; kills += 1) {
      for (let count = 0; count < MESSAGES_PER_KILL; count += 1)
        await setup.queue({ isImmediate: random.fraction() < 0.5 })
      await sleep(random.integer(0, KILLED_WITHIN_MS))
      await killSidecar(setup, sidecar)
      sidecar = await startSidecar(setup)
    }
    await expectWhole(setup)
    const { store } = setup
    await eventually(async () => {
      const open = (await entries(store)).filter(
        ({ status, copy }) => /^(scheduled|sending)$/.test(status) || copy === 'wanted',
      )
      expect(open).toEqual([])
    }, SETTLED_WITHIN_MS)

    const rows = await entries(store)
    expect(rows).toHaveLength(KILLS * MESSAGES_PER_KILL)
    const received = smtp.complete.map(({ source }) => messageIdOf(source))
    expect(new Set(received).size).toBe(received.length)
    for (const { status, failure, messageIdHeader } of rows) {
      if (status === 'sent') expect(received).toContain(messageIdHeader)
      else expect({ status, failure }).toEqual({ status: 'failed', failure: 'unknown' })
    }

    const sent = rows.filter(({ status }) => status === 'sent')
    expect(sent.length).toBeGreaterThan(rows.length / 2)
    const client = await dovecot.secondClient(user)
    await client.mailboxOpen('Sent')
    const filed: string[] = []
    for await (const { source } of client.fetch('1:*', { source: true }))
      filed.push(messageIdOf(source ?? Buffer.alloc(0)))
    expect(filed.toSorted()).toEqual(sent.map(({ messageIdHeader }) => messageIdHeader).toSorted())
    await eventually(async () =>
      expect(await store.read.select().from(events)).toHaveLength(sent.length),
    )
  },
  KILLS * 10_000 + 180_000,
)

const messageIdOf = (source: Buffer) =>
  /^Message-ID: <(.*)>\r$/im.exec(source.toString())?.[1] ?? ''
