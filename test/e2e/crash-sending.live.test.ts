import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { contents } from '../../db/schema/contents.ts'
import { drafts } from '../../db/schema/drafts.ts'
import { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { rawImap, readServer } from '../lab/raw-imap.ts'
import { type LabSmtp, startLabSmtp } from '../lab/smtp.ts'
import { eventually } from '../support/eventually.ts'
import {
  expectWhole,
  kill,
  run,
  setUpService,
  type Setup,
  VICTIMS,
} from '../support/killable-service.ts'
import { type SendingAnswer, sendingClient } from '../support/sending-client.ts'

const IS_LONG = process.env['SVC_TEST_LONG'] === '1'
const KILLS = IS_LONG ? 100 : 4
const SENDS = IS_LONG ? 200 : 16
const AT_ONCE = 4
const KILLED_WITHIN_MS = 500
const ANSWERS_WITHIN_MS = 30
const SCHEDULED_AHEAD_MS = 300
const SETTLED_WITHIN_MS = 90_000

let dovecot: LabDovecot
let smtp: LabSmtp
let user: DovecotUser

beforeAll(async () => {
  const random = seededRandom(20_261_121)
  dovecot = await startLabDovecot()
  user = await dovecot.addUser()
  smtp = await startLabSmtp({
    tls: 'none',
    users: { [user.user]: user.password },
    answersAfterMs: () => random.integer(0, ANSWERS_WITHIN_MS),
  })
})
afterAll(async () => {
  await smtp.stop()
  await dovecot.stop()
})

const subjectOf = (n: number) => `Message ${n} of a service that is killed`

/** How often each message arrived, by its subject. */
function arrivals(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { source } of smtp.accepted) {
    const subject = /^Subject: (.*)\r$/m.exec(source.toString('latin1'))?.[1] ?? ''
    counts.set(subject, (counts.get(subject) ?? 0) + 1)
  }
  return counts
}

/** What the store says at last became of each message, by its subject: one entry at most is not cancelled or refused. */
async function outcomes({ store }: Setup): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await store.read.select().from(outbox)
  return new Map(
    [...Map.groupBy(rows, ({ message }) => message.subject)].map(([subject, entries]) => [
      subject,
      entries.map(({ status, failure }) => (failure ? `${status}: ${failure}` : status)),
    ]),
  )
}

/** The Message-IDs in Sent: in the store, in its events, and on the server how many. */
async function sentMail({ store }: Setup) {
  const rows = await store.read
    .select({ messageIdHeader: contents.messageIdHeader })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(folders, eq(folders.id, messages.folderId))
    .where(eq(folders.specialUse, 'sent'))
  const told = await store.read.select().from(events).where(eq(events.kind, 'message.sent'))
  const imap = await rawImap(dovecot, user)
  const onServer = await readServer(imap).finally(() => imap.close())
  return {
    stored: rows.map(({ messageIdHeader }) => String(messageIdHeader)).toSorted(),
    told: told.map(({ data }) => String(data['message_id'])).toSorted(),
    onServer: onServer['Sent']?.messages.length ?? 0,
  }
}

test(
  `${SENDS} messages through ${KILLS} kills of either process or both: each is sent once at most, and once unless nobody knows`,
  async () => {
    const random = seededRandom(20_261_122)
    const setup = await setUpService(dovecot, user, {
      scopes: 'mail:read mail:send accounts:read',
      smtp,
    })
    onTestFinished(setup.remove)
    let running = await run(setup)
    await eventually(async () => expect(await running.api.isSynced()).toBe(true), SETTLED_WITHIN_MS)
    const client = sendingClient(() => running.service.url, setup.token)

    const send = (n: number): Promise<SendingAnswer> => {
      const subject = subjectOf(n)
      const body = `This is message ${n}.\n`
      if (n % 3 === 0) return client.sendDraft({ to: 'grace@example.com', subject, body })
      const message = { to: ['grace@example.com'], subject, body }
      if (n % 3 === 1) return client.send(message)
      const scheduled = new Date(Date.now() + SCHEDULED_AHEAD_MS).toISOString()
      return client.send({ ...message, schedule_at: scheduled })
    }

    const answers = new Map<string, SendingAnswer>()
    let begun = 0
    const sendOn = async (until: number) => {
      while (begun < until) {
        const n = begun
        begun += 1
        answers.set(subjectOf(n), await send(n))
      }
    }
    for (let kills = 1; kills <= KILLS; kills += 1) {
      const until = Math.round((SENDS * kills) / KILLS)
      const sending = Promise.all(Array.from({ length: AT_ONCE }, () => sendOn(until)))
      await sleep(random.integer(0, KILLED_WITHIN_MS))
      running = await kill(setup, running, random.pick(VICTIMS))
      await sending
      await expectWhole(setup)
    }

    await eventually(async () => {
      const open = (await setup.store.read.select().from(outbox)).filter(
        ({ status, copy }) => ['scheduled', 'sending'].includes(status) || copy === 'wanted',
      )
      expect(open).toEqual([])
    }, SETTLED_WITHIN_MS)

    const arrived = arrivals()
    const settled = await outcomes(setup)
    expect(answers.size).toBe(SENDS)
    for (const [subject, { kind }] of answers) {
      const times = arrived.get(subject) ?? 0
      const ends = settled.get(subject) ?? []
      const isUnknown = ends.includes('failed: unknown')
      expect({ subject, times, ends }).toMatchObject({
        times: isUnknown ? expect.toBeOneOf([0, 1]) : 1,
      })
      expect(ends.filter((end) => end === 'sent' || end === 'failed: unknown')).toHaveLength(1)
      if (kind === 'sent') expect(ends).toContain('sent')
      if (kind === 'unknown') expect(isUnknown).toBe(true)
    }

    const sent = (await setup.store.read.select().from(outbox))
      .filter(({ status }) => status === 'sent')
      .map(({ messageIdHeader }) => messageIdHeader)
      .toSorted()
    await eventually(async () => {
      expect(await sentMail(setup)).toEqual({ stored: sent, told: sent, onServer: sent.length })
    }, SETTLED_WITHIN_MS)
    // What nobody knows of stays a draft; the others went with their message.
    const left = await setup.store.read.select().from(drafts)
    for (const { subject } of left) expect(settled.get(subject)).toContain('failed: unknown')

    running.service.process.kill('SIGTERM')
    await running.service.ended
  },
  KILLS * 20_000 + 180_000,
)
