import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { ImapFlow } from 'imapflow'
import { expect, onTestFinished, test } from 'vitest'

import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import { corpusMessages } from '../support/corpus.ts'
import { eventually } from '../support/eventually.ts'
import { fixture } from '../support/mime-fixtures.ts'
import { schemaErrors } from '../support/schema-check.ts'
import { startSyncedService } from '../support/synced-service.ts'

const IS_LONG = process.env['SVC_TEST_LONG'] === '1'
const SAMPLE = 250
const ANSWER_MS_MAX = 1000
const BODIES = ['text', 'html', 'both', 'none', 'reply'] as const

interface Sample {
  readonly name: string
  readonly source: Uint8Array
}

interface Detail {
  readonly thread_id: number
  readonly body?: { readonly text?: string; readonly html?: string }
  readonly body_error?: string
  readonly attachments: readonly { readonly index: number; readonly size: number }[]
}

test('all mail is synced and read by every endpoint', { timeout: 900_000 }, async () => {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const user = await dovecot.addUser()
  const client = await dovecot.secondClient(user)
  const mail = samples()
  const refused = await appendAll(client, mail)
  const onServer = await hashesOnServer(client)
  console.log(`${mail.length} messages, ${refused.length} refused by the server: ${refused.join()}`)
  expect(onServer).toHaveLength(mail.length - refused.length)
  expect(refused.length).toBeLessThanOrEqual(mail.length / 100)

  const api = new TimedApi(await startSyncedService(dovecot, user))
  const ids = await eventually(async () => {
    const listed = await api.all('/messages?limit=100', 'MessageList')
    expect(listed).toHaveLength(onServer.length)
    return listed.map(({ id }) => id as number)
  }, 300_000)
  expect(new Set(ids).size).toBe(ids.length)

  const hashes: string[] = []
  for (const id of ids) hashes.push(await readWhole(api, id))
  expect(hashes.toSorted()).toEqual(onServer)
  const changes = await api.all('/changes?limit=500', 'ChangeList')
  const changed = changes.flatMap(({ kind, id }) => (kind === 'message' ? [id as number] : []))
  expect(changed.toSorted(byNumber)).toEqual(ids.toSorted(byNumber))
  console.log(`${api.answers} answers, the slowest in ${api.slowest}`)
})

const byNumber = (one: number, other: number): number => one - other

/** Our own fixtures, and of the corpus a sample, or in a long run the whole. */
function samples(): readonly Sample[] {
  const names = readdirSync(new URL('../fixtures/mime/', import.meta.url))
  const own = names.map((name) => ({ name, source: fixture(name) }))
  const corpus = corpusMessages()
  if (corpus.length === 0) console.log('Without SVC_TEST_CORPUS only our own fixtures are read.')
  if (IS_LONG) return [...own, ...corpus]
  const random = seededRandom(20_261_121)
  const drawn = corpus.map((message) => ({ message, lot: random.fraction() }))
  const sorted = drawn.toSorted((one, other) => one.lot - other.lot)
  return [...own, ...sorted.slice(0, SAMPLE).map(({ message }) => message)]
}

/** Puts them into the inbox as they are; returns those that the server does not take. */
async function appendAll(client: ImapFlow, mail: readonly Sample[]): Promise<readonly string[]> {
  const refused: string[] = []
  for (const { name, source } of mail) {
    const appended = await client.append('INBOX', Buffer.from(source)).catch(() => false)
    if (appended === false) refused.push(name)
  }
  return refused
}

async function hashesOnServer(client: ImapFlow): Promise<readonly string[]> {
  await client.mailboxOpen('INBOX')
  const hashes: string[] = []
  for await (const { source } of client.fetch('1:*', { source: true })) {
    hashes.push(sha256(source ?? Buffer.alloc(0)))
  }
  return hashes.toSorted()
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Reads a message in every way there is; returns the hash of its source. */
async function readWhole(api: TimedApi, id: number): Promise<string> {
  const details = new Map<string, Detail>()
  for (const body of BODIES) {
    const path = `/messages/${id}?body=${body}&headers=both`
    details.set(body, (await api.json(path, 'MessageDetail')) as Detail)
  }
  const both = details.get('both')
  // Every source is at hand, so none is too broken to be read.
  expect(both?.body_error).toBeUndefined()
  expect(both?.body).toBeDefined()
  expect(details.get('text')?.body?.text).toBe(both?.body?.text)
  expect(details.get('html')?.body?.html).toBe(both?.body?.html)
  expect(details.get('none')).not.toHaveProperty('body')
  for (const { index, size } of both?.attachments ?? []) {
    const bytes = await api.bytes(`/messages/${id}/attachments/${index}`)
    expect(bytes).toHaveLength(size)
  }
  await api.json(`/messages/${id}/headers`, 'MessageHeaders')
  const thread = await api.all(`/threads/${both?.thread_id}?limit=500`, 'MessageList')
  expect(thread.map((message) => message['id'])).toContain(id)
  return sha256(await api.bytes(`/messages/${id}/raw`))
}

type Item = Readonly<Record<string, unknown>>

/** An API of which every answer must be a success, in time and as it is described. */
class TimedApi {
  readonly #get: (path: string) => Promise<Response>
  #answers = 0
  #slowest = { path: '', ms: 0 }

  constructor(get: (path: string) => Promise<Response>) {
    this.#get = get
  }

  get answers(): number {
    return this.#answers
  }

  get slowest(): string {
    return `${this.#slowest.ms.toFixed(0)} ms: ${this.#slowest.path}`
  }

  async bytes(path: string): Promise<Uint8Array> {
    let answer = await this.#timed(path)
    // The machine may have been busy; a message that is slow to read is slow again.
    if (answer.ms > ANSWER_MS_MAX) answer = await this.#timed(path)
    expect(answer.ms, path).toBeLessThan(ANSWER_MS_MAX)
    if (answer.ms > this.#slowest.ms) this.#slowest = { path, ms: answer.ms }
    return answer.bytes
  }

  async json(path: string, component: string): Promise<unknown> {
    const value: unknown = JSON.parse(Buffer.from(await this.bytes(path)).toString())
    expect(schemaErrors(component, value), path).toEqual([])
    return value
  }

  /** The items of all pages. */
  async all(path: string, component: string): Promise<readonly Item[]> {
    const items: Item[] = []
    let cursor = ''
    do {
      const page = (await this.json(cursor ? `${path}&cursor=${cursor}` : path, component)) as {
        readonly data: readonly Item[]
        readonly next_cursor: string
      }
      items.push(...page.data)
      cursor = page.next_cursor
    } while (cursor !== '')
    return items
  }

  async #timed(path: string): Promise<{ readonly bytes: Uint8Array; readonly ms: number }> {
    const start = performance.now()
    const response = await this.#get(path)
    const bytes = new Uint8Array(await response.arrayBuffer())
    this.#answers++
    expect(response.status, path).toBe(200)
    return { bytes, ms: performance.now() - start }
  }
}
