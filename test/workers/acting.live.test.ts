import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@libsql/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { leftBehind } from '../../db/schema/left-behind.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { startCuttableRelay } from '../lab/cuttable-relay.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import type { LabUser } from '../lab/lab-server.ts'
import { rawImap, readServer } from '../lab/raw-imap.ts'
import { addAccount, shownMail, startSync, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { seenMail, unexplained } from '../support/event-history.ts'
import { randomChanges } from '../support/random-changes.ts'
import { randomOperations } from '../support/random-operations.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail as mail } from '../support/small-mail.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'
import { TEST_CONFIG } from '../support/test-config.ts'

const isLong = process.env['SVC_TEST_LONG'] === '1'
const CHANGES = isLong ? 2_000 : 100
const SEED = Number(process.env['SVC_TEST_SEED'] ?? 20_260_301)
const MESSAGES = 40
const CUT_EVERY = 15
const SETTLED_WITHIN_MS = isLong ? 300_000 : 60_000
const LOOKED_AT_WITHIN_MS = 500
/** Folders that are looked at every ten minutes are looked at every two seconds. */
const CLOCK_TIMES_FASTER = 300

describe.each([
  ['Dovecot as it is', {}],
  ['Dovecot without CONDSTORE', { without: ['CONDSTORE', 'QRESYNC'] }],
  ['Dovecot without MOVE', { without: ['MOVE'] }],
  ['Dovecot without MOVE and UIDPLUS', { without: ['MOVE', 'UIDPLUS'] }],
])('%s', (name, options) => {
  let dovecot: LabDovecot
  beforeAll(async () => {
    dovecot = await startLabDovecot(options)
  })
  afterAll(() => dovecot.stop())

  /** What the server shows of what it has: without the originals of messages that were moved and could not go. */
  async function shownOnServer(store: Store, user: LabUser) {
    const imap = await rawImap(dovecot, user)
    const onServer = await readServer(imap).finally(() => imap.close())
    const known = await store.read.select().from(folders)
    const left = await store.read.select().from(leftBehind)
    return Object.fromEntries(
      Object.entries(onServer).map(([path, folder]) => {
        const id = known.find((candidate) => candidate.path === path)?.id
        const isLeft = (uid: number) => left.some((row) => row.folderId === id && row.uid === uid)
        const shown = folder.messages.filter(({ uid }) => !isLeft(uid))
        const marked = folder.messages.filter(({ uid }) => isLeft(uid))
        expect(marked.every(({ flags }) => flags.includes('\\Deleted'))).toBe(true)
        return [path, { ...folder, messages: shown }]
      }),
    )
  }

  const atRest = (store: Store, user: LabUser) =>
    eventually(
      async () => {
        expect(await store.read.select().from(mailboxChanges)).toEqual([])
        expect(await storedMailbox(store)).toEqual(await shownOnServer(store, user))
      },
      SETTLED_WITHIN_MS,
      LOOKED_AT_WITHIN_MS,
    )

  test(
    `at rest the store is the server, and the events tell how it came to be so, after ${CHANGES} changes from here and by two others through lost connections`,
    async () => {
      const { store, directory, remove } = await temporaryStore()
      onTestFinished(remove)
      const user = await dovecot.addUser()
      for (let n = 1; n <= MESSAGES; n += 1) await dovecot.deliver(user, mail(`Start ${n}`))
      const relay = await startCuttableRelay({ host: dovecot.host, port: dovecot.imapPort })
      onTestFinished(() => relay.stop())
      // So that all of it is told of (spec section 6, rule 3).
      const database = createClient({ url: `file:${join(directory, 'svc.db')}` })
      await database.execute(
        'create trigger all_synced after insert on folders begin update folders set synced = 1 where id = new.id; end',
      )
      database.close()
      await addAccount(store, { host: relay.host, imapPort: relay.port }, user)
      const clock = scaledClock(CLOCK_TIMES_FASTER)
      const config = { ...TEST_CONFIG, externalBurstLimit: 0 }
      const wake = startSync(store, { clock, config })
      await eventually(async () =>
        expect(await store.read.select().from(accountLeases)).toMatchObject([{ syncedOnce: true }]),
      )
      expect(await shownMail(store)).toHaveLength(MESSAGES)
      const start = await seenMail(store)

      const random = seededRandom(SEED)
      const connect = () => dovecot.secondClient(user)
      const habits = { without: ['deleteFolder'] } as const
      const acting = [
        await randomOperations(connect, random, { ...habits, name: 'a' }),
        await randomOperations(connect, random, { ...habits, name: 'b' }),
        randomChanges({ ...syncPorts(store), wake }, random),
        randomChanges({ ...syncPorts(store), wake }, random),
      ]
      for (let n = 1; n <= CHANGES; n += 1) {
        await random.pick(acting)()
        if (random.integer(1, CUT_EVERY) === 1) relay.cut()
        if (random.integer(1, 5) === 1) await sleep(random.integer(0, 100))
      }
      await atRest(store, user)

      if (!name.includes('CONDSTORE')) return expect(await unexplained(store, start)).toEqual([])
      const told = (await store.read.select().from(events)).map(({ kind, data }) => [
        kind,
        data['origin'],
      ])
      expect(told).not.toContainEqual(['message.deleted', undefined])
      expect(told).not.toContainEqual(['message.updated', 'external'])
    },
    isLong ? 900_000 : 300_000,
  )
})
