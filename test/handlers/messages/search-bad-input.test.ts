import { count } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { seededRandom } from '../../../cli/commands/local/demo/random.ts'
import { messages } from '../../../db/schema/messages.ts'
import { searchIndex } from '../../../db/search-index.ts'
import { EXCESSIVE_QUERIES, MALFORMED_QUERIES } from '../../support/bad-queries.ts'
import { harness, type Harness } from '../../support/harness.ts'
import { type SearchableMail, storeMails } from '../../support/search-mailbox.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

const MAILS = 3_000
const MAILS_AT_ONCE = 500
const WORDS_PER_MAIL = 60
const CPU_MS = 500

/** Queries that look like commands, and what a message says that is found by them. */
const SAYINGS = [
  ['NEAR(engine loom, 5)', 'Near the engine is a loom, about 5 feet off'],
  ['^loom', 'A loom'],
  ['subject : {loom wheel}', 'Subject: loom and wheel'],
  ['wheel NOT loom', 'A wheel is not a loom'],
  ['traits:content', 'Traits: content'],
  ["'; DROP TABLE messages; --", 'How to drop a table of messages'],
  ['") OR 1=1 /*', 'Or 1=1'],
  ['%wheel% wh_el', 'The wheel, a wh el'],
  ['a {5}\r\nX LOGOUT', 'a 5 x logout'],
  ['(ALL) UNDELETED', 'All undeleted'],
  ['\\Deleted', 'What was deleted'],
  ['OR', 'Or else'],
  ['\u202eloom\u202c', 'A loom of another kind'],
  ['wheel\0loom', 'Wheel and loom'],
] as const

let h: Harness
beforeAll(async () => {
  h = await harness({ scopes: ['mail:read'], readsHere: true })
  await fillMailbox()
})
afterAll(() => h.close())

/** Words as unevenly frequent as those of a language: `w0` is in most mails, `w2000` in hardly any. */
async function fillMailbox(): Promise<void> {
  const account = await h.make.account({ name: 'Work' })
  const folder = await h.make.inbox(account.id)
  const { id: threadId } = await h.make.thread(account.id)
  const random = seededRandom(4)
  const word = () => `w${Math.floor(random.fraction() ** 4 * 2_000)}`
  const mail = (number: number): SearchableMail => {
    const words = Array.from({ length: WORDS_PER_MAIL }, word).join(' ')
    const header = `From: Ada <ada@example.org>\r\nMessage-ID: <${number}@example.org>`
    return {
      source: `${header}\r\nSubject: ${word()}\r\n\r\nThe engine of a ${words}\r\n`,
      folder,
      threadId,
      dateMs: Date.UTC(2024, 0, 1) + number * 60_000,
      read: number % 3 === 0,
      starred: number % 100 === 0,
    }
  }
  const { store } = h.runtime
  for (let start = 0; start < MAILS; start += MAILS_AT_ONCE)
    await storeMails(
      store,
      Array.from({ length: MAILS_AT_ONCE }, (_, at) => mail(start + at)),
    )
  const said = SAYINGS.map(([, saying]) => ({
    ...mail(MAILS),
    source: `Subject: ${saying}\r\n\r\n`,
  }))
  await storeMails(store, said)
}

async function search(query: string) {
  const startMs = threadCpuMs()
  const response = await h.send('POST', '/api/v1/messages/search', { query, limit: 50 })
  const body = await response.json()
  return { status: response.status, body, cpuMs: threadCpuMs() - startMs }
}

describe.each([
  ['malformed', MALFORMED_QUERIES],
  ['excessive', EXCESSIVE_QUERIES],
])('%s', (_kind, queries) => {
  test.each(queries)('%s: searched or bounded, and quickly', async (_what, query) => {
    const { status, body, cpuMs } = await search(query)
    expect(status).toBe(200)
    expect(cpuMs).toBeLessThan(CPU_MS)
    for (const warning of body.warnings) expect(warning).toMatch(/^\P{Cc}{1,200}$/u)
    expect(await countOf(messages)).toBe(MAILS + SAYINGS.length)
    expect(await countOf(searchIndex)).toBe(MAILS + SAYINGS.length)
  })
})

test.each(SAYINGS)('%j is searched as text', async (query, saying) => {
  const { body } = await search(query)
  expect(body.data.map(({ subject }: { subject: string }) => subject)).toContain(saying)
})

async function countOf(table: typeof messages | typeof searchIndex): Promise<number | undefined> {
  const [row] = await h.runtime.store.read.select({ rows: count() }).from(table)
  return row?.rows
}
