import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { type Random, seededRandom } from '../../cli/commands/local/demo/random.ts'
import { contents } from '../../db/schema/contents.ts'
import { folders } from '../../db/schema/folders.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { generatedMailbox } from '../bench/generated-mailbox.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { rawImap, readServer } from '../lab/raw-imap.ts'
import { eventually } from '../support/eventually.ts'
import { seenMail, unexplained } from '../support/event-history.ts'
import {
  expectWhole,
  kill,
  run,
  type Running,
  setUpService,
  type Setup,
  VICTIMS,
} from '../support/killable-service.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'

const KILLS = process.env['SVC_TEST_LONG'] === '1' ? 50 : 4
const CHANGES = 500
const MESSAGES = 120
const BATCH_MAX = 12
const KILLED_WITHIN_MS = 400
const SETTLED_WITHIN_MS = 60_000
const TRIED_AGAIN_AFTER_MS = 20

let dovecot: LabDovecot
let user: DovecotUser

beforeAll(async () => {
  dovecot = await startLabDovecot()
  user = await dovecot.addUser()
  await seedMaildir(user, 'INBOX', generatedMailbox(MESSAGES))
})
afterAll(() => dovecot.stop())

/** What a message was last told to be. */
interface Meant {
  read?: boolean
  starred?: boolean
  folderId?: number
  readonly labels: Map<string, boolean>
}

/** A user of the API who asks again, where the service was killed, until a change is answered. */
class User {
  readonly meant = new Map<number, Meant>()
  readonly #random: Random
  readonly #token: string
  readonly #ids: readonly number[]
  readonly #folderIds: readonly number[]
  running: Running

  constructor(
    running: Running,
    {
      token,
      random,
      ids,
      folderIds,
    }: {
      readonly token: string
      readonly random: Random
      readonly ids: readonly number[]
      readonly folderIds: readonly number[]
    },
  ) {
    this.running = running
    this.#token = token
    this.#random = random
    this.#ids = ids
    this.#folderIds = folderIds
  }

  /** Makes one change, of one message or of some; how many it changed. */
  async change(): Promise<number> {
    const random = this.#random
    const id = random.pick(this.#ids)
    if (random.fraction() < 0.2) {
      const { folder_id: folderId } = await this.#send('POST', `messages/${id}/archive`)
      this.#note([id], { folder_id: Number(folderId) })
      return 1
    }
    const change = this.#wanted()
    if (random.fraction() < 0.7) {
      await this.#send('PATCH', `messages/${id}`, change)
      this.#note([id], change)
      return 1
    }
    const from = random.integer(0, this.#ids.length - 1)
    const ids = this.#ids.slice(from, from + random.integer(1, BATCH_MAX))
    await this.#send('POST', 'messages/batch', { ids, ...change })
    this.#note(ids, change)
    return ids.length
  }

  #wanted(): Wanted {
    const random = this.#random
    const value = random.fraction() < 0.5
    return random.pick([
      { read: value },
      { starred: value },
      value ? { labels_add: ['work'] } : { labels_remove: ['work'] },
      { read: value, folder_id: random.pick(this.#folderIds) },
      { folder_id: random.pick(this.#folderIds) },
    ])
  }

  #note(ids: readonly number[], change: Wanted): void {
    for (const id of ids) {
      const meant = this.meant.get(id) ?? { labels: new Map<string, boolean>() }
      if (change.read !== undefined) meant.read = change.read
      if (change.starred !== undefined) meant.starred = change.starred
      if (change.folder_id !== undefined) meant.folderId = change.folder_id
      for (const label of change.labels_add ?? []) meant.labels.set(label, true)
      for (const label of change.labels_remove ?? []) meant.labels.set(label, false)
      this.meant.set(id, meant)
    }
  }

  async #send(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    for (;;) {
      try {
        const headers = {
          Authorization: `Bearer ${this.#token}`,
          'Content-Type': 'application/json',
        }
        const url = `${this.running.service.url}/api/v1/${path}`
        const answer = await fetch(url, {
          method,
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        if (answer.status === 200) return JSON.parse(text) as Record<string, unknown>
        throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      } catch (error) {
        // It was killed; everything else is a fault.
        if (!(error instanceof TypeError)) throw error
        await sleep(TRIED_AGAIN_AFTER_MS)
      }
    }
  }
}

interface Wanted {
  readonly read?: boolean
  readonly starred?: boolean
  readonly labels_add?: readonly string[]
  readonly labels_remove?: readonly string[]
  readonly folder_id?: number
}

/** What each message is, by its id. */
async function sourceHashes({ store }: Setup): Promise<ReadonlyMap<number, string>> {
  const rows = await store.read
    .select({ id: messages.id, hash: contents.sourceHash })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
  return new Map(rows.map(({ id, hash }) => [id, hash]))
}

async function expectMeant({ store }: Setup, meant: ReadonlyMap<number, Meant>): Promise<void> {
  const rows = await store.read.select().from(messages)
  for (const { id, read, starred, folderId, labels } of rows) {
    const wanted = meant.get(id)
    if (!wanted) continue
    const { labels: wantedLabels, ...rest } = wanted
    expect({ id, read, starred, folderId }).toMatchObject({ id, ...rest })
    for (const [label, isOn] of wantedLabels) expect(labels.includes(label)).toBe(isOn)
  }
}

test(
  `${CHANGES} changes through ${KILLS} kills of either process or both reach the server, each once and in order`,
  async () => {
    const random = seededRandom(20_260_302)
    const setup = await setUpService(dovecot, user, {
      scopes: 'mail:read mail:modify accounts:read',
    })
    onTestFinished(setup.remove)
    const { store } = setup
    const first = await run(setup)
    await eventually(async () => expect(await first.api.isSynced()).toBe(true), SETTLED_WITHIN_MS)
    const known = await sourceHashes(setup)
    expect(known.size).toBe(MESSAGES)
    const start = await seenMail(store)
    const folderIds = (await store.read.select().from(folders)).map(({ id }) => id)
    const api = new User(first, { token: setup.token, random, ids: [...known.keys()], folderIds })

    let changed = 0
    for (let kills = 1; kills <= KILLS; kills += 1) {
      const until = (CHANGES * kills) / KILLS
      const changing = (async () => {
        while (changed < until) changed += await api.change()
      })()
      await sleep(random.integer(0, KILLED_WITHIN_MS))
      api.running = await kill(setup, api.running, random.pick(VICTIMS))
      await changing
      await expectWhole(setup)
    }
    expect(changed).toBeGreaterThanOrEqual(CHANGES)
    await eventually(async () => {
      expect(await store.read.select().from(mailboxChanges)).toEqual([])
      const imap = await rawImap(dovecot, user)
      const onServer = await readServer(imap).finally(() => imap.close())
      expect(await storedMailbox(store)).toEqual(onServer)
    }, SETTLED_WITHIN_MS)

    await expectMeant(setup, api.meant)
    expect(await sourceHashes(setup)).toEqual(known)
    expect(await unexplained(store, start)).toEqual([])
    const imap = await rawImap(dovecot, user)
    const onServer = await readServer(imap).finally(() => imap.close())
    const hashes = Object.values(onServer).flatMap((folder) =>
      folder.messages.map(({ sourceHash }) => sourceHash),
    )
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(hashes).toHaveLength(MESSAGES)
    api.running.service.process.kill('SIGTERM')
    await api.running.service.ended
  },
  KILLS * 20_000 + 120_000,
)
