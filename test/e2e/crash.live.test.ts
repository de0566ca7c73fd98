import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@libsql/client'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { type Random, seededRandom } from '../../cli/commands/local/demo/random.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import { countMessages } from '../../domain/accounts/count-messages.ts'
import { openFileSourceStore } from '../../runtime/node/file-source-store.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { generatedMailbox } from '../bench/generated-mailbox.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { rawImap, readServer } from '../lab/raw-imap.ts'
import { eventually } from '../support/eventually.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'
import { startSvc, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const KILLS = process.env['SVC_TEST_LONG'] === '1' ? 200 : 8
const MESSAGES = 2_000
/** A first sync is killed about eight times: after it stored up to so many messages, and a little later. */
const STORED_BEFORE_KILL_MAX = MESSAGES / 4
const THEN_MS_MAX = 20
const STORED_WITHIN_MS = 30_000

/** The only one of its store. */
const ACCOUNT_ID = 1

let dovecot: LabDovecot
let user: DovecotUser

beforeAll(async () => {
  dovecot = await startLabDovecot()
  user = await dovecot.addUser()
  await seedMaildir(user, 'INBOX', generatedMailbox(MESSAGES))
  await seedMaildir(user, 'Projects', generatedMailbox(MESSAGES / 10))
})
afterAll(() => dovecot.stop())

/** A data directory with the account, and its database as others see it. */
async function setUp() {
  const directory = temporaryDirectory()
  const dataDir = join(directory.path, 'data')
  const env = { SVC_DATA_DIR: dataDir }
  const servers = { '--imap-host': dovecot.host, '--imap-port': String(dovecot.imapPort) }
  const options = {
    ...servers,
    '--imap-tls': 'none',
    '--imap-user': user.user,
    '--smtp-host': '::1',
  }
  const args = ['account', 'add', '--email', user.email, ...Object.entries(options).flat()]
  const added = await svc([...args, '--no-test', '--password-stdin'], { env, input: user.password })
  expect(added).toMatchObject({ code: 0 })
  const store = openFileStore(`file:${join(dataDir, 'svc.db')}`)
  const remove = async () => {
    await store.close()
    directory[Symbol.dispose]()
  }
  return { env, dataDir, store, remove }
}
type Setup = Awaited<ReturnType<typeof setUp>>

/** The place of every message by its id. */
async function places(store: Store): Promise<ReadonlyMap<number, string>> {
  const rows = await store.read
    .select({ id: messages.id, folderId: messages.serverFolderId, uid: messages.uid })
    .from(messages)
  return new Map(rows.map(({ id, folderId, uid }) => [id, `${folderId}/${uid}`]))
}

async function runSidecar({ env, dataDir }: Setup) {
  // Nobody waits here until the lease of the one that was killed has run out.
  const database = createClient({ url: `file:${join(dataDir, 'svc.db')}` })
  await database.execute('update account_leases set expires_at = 0')
  database.close()
  const sidecar = startSvc(['sidecar'], { env })
  await eventually(async () => expect(sidecar.stderr()).toContain('"The sidecar runs."'))
  return sidecar
}

async function integrity({ dataDir }: Setup): Promise<unknown> {
  const database = createClient({ url: `file:${join(dataDir, 'svc.db')}` })
  try {
    return (await database.execute('pragma integrity_check')).rows[0]?.['integrity_check']
  } finally {
    database.close()
  }
}

const isSynced = async ({ store }: Setup) =>
  (await store.read.select({ id: accounts.id }).from(accounts).where(eq(accounts.state, 'ok')))
    .length > 0

/** Kills the sidecar again and again until the first sync is complete all the same; how often it was killed. */
async function syncThroughKills(setup: Setup, random: Random, killsMax: number): Promise<number> {
  let known: ReadonlyMap<number, string> = new Map()
  const expectKnown = async () => {
    const after = await places(setup.store)
    expect([...known].filter(([id, place]) => after.get(id) !== place)).toEqual([])
    known = after
  }
  let kills = 0
  for (; kills < killsMax && !(await isSynced(setup)); kills += 1) {
    const sidecar = await runSidecar(setup)
    const enough = known.size + random.integer(0, STORED_BEFORE_KILL_MAX)
    await eventually(async () => {
      const isEnough = (await countMessages(setup, ACCOUNT_ID)) >= enough || (await isSynced(setup))
      expect(isEnough).toBe(true)
    }, STORED_WITHIN_MS)
    await sleep(random.integer(0, THEN_MS_MAX))
    sidecar.process.kill('SIGKILL')
    await sidecar.ended
    expect(await integrity(setup)).toBe('ok')
    await expectKnown()
  }
  const sidecar = await runSidecar(setup)
  await eventually(async () => expect(await isSynced(setup)).toBe(true), STORED_WITHIN_MS)
  await expectKnown()
  sidecar.process.kill('SIGTERM')
  await sidecar.ended
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
  `a first sync that is killed ${KILLS} times ends with exactly the mail of the server, and no id changes`,
  async () => {
    const random = seededRandom(20_260_301)
    let kills = 0
    while (kills < KILLS) {
      const setup = await setUp()
      onTestFinished(setup.remove)
      kills += await syncThroughKills(setup, random, KILLS - kills)
      expect(await integrity(setup)).toBe('ok')
      await expectEverything(setup)
    }
  },
  KILLS * 10_000,
)
