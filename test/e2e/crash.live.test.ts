import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { type Random, seededRandom } from '../../cli/commands/local/demo/random.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import { openFileSourceStore } from '../../runtime/node/file-source-store.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { generatedMailbox } from '../bench/generated-mailbox.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { rawImap, readServer } from '../lab/raw-imap.ts'
import { eventually } from '../support/eventually.ts'
import {
  expectWhole,
  kill,
  run,
  setUpService,
  type Setup,
  VICTIMS,
} from '../support/killable-service.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'

const KILLS = process.env['SVC_TEST_LONG'] === '1' ? 200 : 5
const MESSAGES = 2_000
/** A first sync is killed about eight times: after it stored up to so many messages, and a little later. */
const STORED_BEFORE_KILL_MAX = MESSAGES / 4
const THEN_MS_MAX = 20
const STORED_WITHIN_MS = 120_000
let dovecot: LabDovecot
let user: DovecotUser

beforeAll(async () => {
  dovecot = await startLabDovecot()
  user = await dovecot.addUser()
  await seedMaildir(user, 'INBOX', generatedMailbox(MESSAGES))
  await seedMaildir(user, 'Projects', generatedMailbox(MESSAGES / 10))
})
afterAll(() => dovecot.stop())

/** What a client or the database knows a message by, by its id. */
type Known = ReadonlyMap<number, string>

async function places(store: Store): Promise<Known> {
  const rows = await store.read
    .select({ id: messages.id, folderId: messages.serverFolderId, uid: messages.uid })
    .from(messages)
  return new Map(rows.map(({ id, folderId, uid }) => [id, `${folderId}/${uid}`]))
}

const expectKnown = (known: Known, now: Known) =>
  expect([...known].filter(([id, what]) => now.get(id) !== what)).toEqual([])

/** Kills the service again and again until the first sync is complete all the same; how often it was killed. */
async function syncThroughKills(setup: Setup, random: Random, killsMax: number): Promise<number> {
  let running = await run(setup)
  let stored: Known = new Map()
  let seen: Known = new Map()
  let kills = 0
  for (; kills < killsMax && !(await running.api.isSynced()); kills += 1) {
    const { api } = running
    const enough = seen.size + random.integer(0, STORED_BEFORE_KILL_MAX)
    await eventually(async () => {
      const isEnough = (await api.messageCount()) >= enough || (await api.isSynced())
      expect(isEnough).toBe(true)
    }, STORED_WITHIN_MS)
    const before = await api.messageIds()
    await sleep(random.integer(0, THEN_MS_MAX))
    running = await kill(setup, running, random.pick(VICTIMS))
    await expectWhole(setup)
    const after = await places(setup.store)
    expectKnown(stored, after)
    stored = after
    expectKnown(seen, before)
    seen = before
    expectKnown(seen, await running.api.messageIds())
  }
  const last = running.api
  await eventually(async () => expect(await last.isSynced()).toBe(true), STORED_WITHIN_MS)
  expectKnown(stored, await places(setup.store))
  expectKnown(seen, await last.messageIds())
  running.service.process.kill('SIGTERM')
  await running.service.ended
  return kills
}

async function expectEverything({ store, dataDir }: Setup): Promise<void> {
  const imap = await rawImap(dovecot, user)
  const expected = await readServer(imap).finally(() => imap.close())
  expect(await storedMailbox(store)).toEqual(expected)
  const sources = openFileSourceStore(join(dataDir, 'sources'))
  const rows = await store.read.select({ hash: contents.sourceHash }).from(contents)
  for (const { hash } of rows) expect(await sources.get(hash)).toBeDefined()
}

test(
  `a first sync through ${KILLS} kills of either process or both ends with exactly the mail of the server, and no id changes`,
  async () => {
    const random = seededRandom(20_260_301)
    let kills = 0
    while (kills < KILLS) {
      const setup = await setUpService(dovecot, user)
      onTestFinished(setup.remove)
      kills += await syncThroughKills(setup, random, KILLS - kills)
      await expectWhole(setup)
      await expectEverything(setup)
    }
  },
  300_000 + KILLS * 30_000,
)
