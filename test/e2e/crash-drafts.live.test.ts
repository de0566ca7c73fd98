import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { drafts } from '../../db/schema/drafts.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { copiesOf } from '../support/drafts-folder.ts'
import { eventually } from '../support/eventually.ts'
import { expectWhole, kill, run, setUpService, VICTIMS } from '../support/killable-service.ts'

const KILLS = process.env['SVC_TEST_LONG'] === '1' ? 40 : 1
const DRAFTS = 8
const SETTLED_WITHIN_MS = 60_000
/** Drafts that are due are published about when the kill comes. */
const KILLED_AFTER_MS = [50, 1_400] as const

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

const sorted = (values: readonly unknown[]) => values.map(String).toSorted()

test(
  `drafts are published through ${KILLS} kills: one copy of each at rest, and never none`,
  async () => {
    const random = seededRandom(20_261_121)
    const user = await dovecot.addUser()
    const setup = await setUpService(dovecot, user, { scopes: 'mail:send mail:read accounts:read' })
    onTestFinished(setup.remove)
    const { store, token } = setup
    let running = await run(setup)
    await eventually(async () => expect(await running.api.isSynced()).toBe(true))
    const send = async (method: string, path: string, body: object) => {
      for (;;) {
        try {
          const answer = await fetch(`${running.service.url}/api/v1/${path}`, {
            method,
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          })
          if (answer.ok) return (await answer.json()) as { id: number }
        } catch {
          // It was killed, and comes back.
        }
        await sleep(20)
      }
    }
    const data = Buffer.alloc(50_000, 'attached').toString('base64')
    const attachments = [{ filename: 'a.txt', content_type: 'text/plain', data }]
    const ids: number[] = []
    for (let index = 0; index < DRAFTS; index += 1)
      ids.push((await send('POST', 'drafts', { subject: 'begun', attachments })).id)
    const settled = () =>
      eventually(async () => {
        const rows = await store.read.select().from(drafts)
        expect(rows.filter(({ publishDueAt }) => publishDueAt !== null)).toEqual([])
        expect(await store.read.select().from(mailboxChanges)).toEqual([])
      }, SETTLED_WITHIN_MS)
    /** As if nobody had written for a while. */
    const makeDue = () => store.commit((write) => [write.update(drafts).set({ publishDueAt: 0 })])
    await makeDue()
    await settled()

    const watcher = await dovecot.secondClient(user)
    await watcher.mailboxOpen('Drafts')
    const watching = new AbortController()
    let fewest = DRAFTS
    const watched = (async () => {
      while (!watching.signal.aborted) {
        const uids = await watcher.search({ all: true }, { uid: true })
        fewest = Math.min(fewest, uids ? uids.length : 0)
        await sleep(5)
      }
    })()
    const meant = new Map<number, string>()
    for (let kills = 1; kills <= KILLS; kills += 1) {
      for (const id of ids) {
        const subject = `after ${kills - 1} kills`
        await send('PATCH', `drafts/${id}`, { subject })
        meant.set(id, subject)
      }
      await makeDue()
      await sleep(random.integer(...KILLED_AFTER_MS))
      running = await kill(setup, running, random.pick(VICTIMS))
      await expectWhole(setup)
    }
    await settled()
    watching.abort()
    await watched
    expect(fewest).toBe(DRAFTS)
    const client = await dovecot.secondClient(user)
    await eventually(async () => {
      const copies = await copiesOf(client)
      const subjects = copies.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1])
      expect(sorted(subjects)).toEqual(sorted([...meant.values()]))
      const rows = await store.read.select().from(messages)
      expect(sorted(rows.map(({ draftId }) => draftId))).toEqual(sorted(ids))
      expect(sorted(rows.map(({ uid }) => uid))).toEqual(sorted(copies.map(({ uid }) => uid)))
    }, SETTLED_WITHIN_MS)
    running.service.process.kill('SIGTERM')
    await running.service.ended
  },
  KILLS * 30_000 + 120_000,
)
