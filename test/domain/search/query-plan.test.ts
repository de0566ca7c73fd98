import { createClient } from '@libsql/client'
import { afterAll, expect, test } from 'vitest'

import { searchLocal } from '../../../domain/search/search-local.ts'
import { systemClock } from '../../../runtime/node/clock.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'
import { readingHere } from '../../support/reading-here.ts'
import { recordedStatements } from '../../support/recorded-statements.ts'
import { storeMail } from '../../support/search-mailbox.ts'

/** Enough for several slices, so that a search goes all the ways it has. */
const MAILS = 30
const BOUNDS = { slice: 4, lookedAtMax: 1_000 }

const database = await temporaryStore()
const store = readingHere(database.store)
const client = createClient({ url: `file:${database.directory}/svc.db` })
afterAll(async () => {
  client.close()
  await database.remove()
})

const make = factories(store, memorySourceStore())
const account = await make.account({ name: 'Work' })
const inbox = await make.inbox(account.id)
const { id: threadId } = await make.thread(account.id)
for (let number = 0; number < MAILS; number += 1)
  await storeMail(store, {
    source: `From: ada@example.org\r\nSubject: alpha\r\nMessage-ID: <m${number}@x>\r\n\r\nbeta\r\n`,
    folder: inbox,
    threadId,
    dateMs: Date.UTC(2026, 0, 1) + number * 5_000,
    read: number % 2 === 0,
    starred: number === 0,
    labels: number % 3 === 0 ? ['work'] : [],
  })

type Where = Pick<Parameters<typeof searchLocal>[1], 'account' | 'folderId'>

/** How the database goes about each statement of a search. */
async function plansOf(query: string, where: Where) {
  const statements = recordedStatements()
  await searchLocal({ store, clock: systemClock }, { query, limit: 20, ...where }, BOUNDS)
  const plans = [...new Set(statements)].map(async (sql) => {
    const args = Array.from(sql.matchAll(/\?/g), () => '[]')
    const { rows } = await client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args })
    const steps = rows.map(({ detail }) => (typeof detail === 'string' ? detail : ''))
    return { isPage: sql.includes('json_array('), steps }
  })
  return Promise.all(plans)
}

const ALL_WAYS: readonly (readonly [string, Where])[] = [
  ['alpha', {}],
  ['al*', {}],
  ['alp* is:read', {}],
  ['"alpha"', { folderId: inbox.id }],
  ['alpha', { account: 'Work' }],
  ['-alpha', {}],
  ['from:ada', {}],
  ['is:unread alpha', {}],
  ['label:work', {}],
  ['label:work alpha', {}],
  ['in:inbox', {}],
  ['in:inbox alpha', {}],
  ['account:work', {}],
  ['account:work alpha', {}],
  ['before:2026-02-01', {}],
  ['after:2025-01-01 before:2026-02-01 in:inbox', {}],
  ['newer_than:2y alpha', {}],
  ['msgid:m1@x', {}],
  ['msgid:m1@x alpha', {}],
  [`thread:${threadId}`, {}],
  [`thread:${threadId} alpha`, {}],
  ['larger:10', {}],
  ['larger:10 smaller:1mb alpha in:inbox', {}],
  ['has:attachment', {}],
  ['is:starred', {}],
  ['is:unread', {}],
  ['is:read', {}],
  ['is:read', { folderId: inbox.id }],
  ['is:answered OR is:draft', {}],
  ['label:work OR in:inbox OR account:work', {}],
  ['alpha OR msgid:m1@x OR is:read', {}],
  ['(alpha is:read) OR (beta is:starred)', {}],
]

test.each(ALL_WAYS)(
  '%s in %j: no statement looks at all messages or sorts them',
  async (query, where) => {
    const plans = await plansOf(query, where)
    const steps = plans.flatMap((plan) => plan.steps)
    expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    // The index of odd dates has nothing in it but these.
    const scans = steps.filter((step) => /^SCAN (?:messages|contents|content_bodies)\b/.test(step))
    expect(scans.filter((step) => !step.includes('INDEX messages_odd_date'))).toEqual([])
    const ofIndex = steps.filter((step) => step.includes('search_index'))
    expect(ofIndex.filter((step) => !isBoundMatch(step))).toEqual([])
    // Another index gives them in another order.
    const pages = plans.filter(({ isPage }) => isPage).map((plan) => plan.steps[0])
    expect(pages).not.toEqual([])
    expect(pages.filter((step) => !step?.startsWith(BY_CONTENT))).toEqual([])
  },
)

const BY_CONTENT = 'SEARCH messages USING INDEX messages_content (content_id'

/** A match (M), with a lower and an upper bound of its rowid. */
const isBoundMatch = (step: string) => /VIRTUAL TABLE INDEX \d+:M\d+><$/.test(step)

test.each([
  ['label:work', 'messages USING INDEX messages_labeled (labels=?)'],
  ['in:inbox is:answered', 'messages USING INDEX messages_folder (folder_id=?)'],
  ['is:starred', 'messages USING INDEX messages_folder_starred (folder_id=?)'],
  ['is:unread is:answered', 'messages USING INDEX messages_folder_unread (folder_id=?)'],
  [`thread:${threadId}`, 'messages USING INDEX messages_thread (thread_id=?)'],
  ['msgid:m1@x', 'contents USING COVERING INDEX contents_message_id_header (message_id_header=?)'],
])('the few that %s can mean are found by its own index', async (query, step) => {
  const plans = await plansOf(query, {})
  expect(plans.flatMap(({ steps }) => steps)).toContain(`SEARCH ${step}`)
})
