import * as fc from 'fast-check'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'

import { seededRandom } from '../../../cli/commands/local/demo/random.ts'
import { accounts } from '../../../db/schema/accounts.ts'
import type { folders } from '../../../db/schema/folders.ts'
import { threads } from '../../../db/schema/threads.ts'
import { parseQuery } from '../../../domain/search/parse-query.ts'
import { searchLocal } from '../../../domain/search/search-local.ts'
import { anyQuery } from '../../support/any-query.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'
import { isAskedFor } from '../../support/naive-search.ts'
import { storeMail, type StoredMail } from '../../support/search-mailbox.ts'
import { searchableSource } from '../../support/searchable-source.ts'

const RUNS = process.env['SVC_TEST_LONG'] === '1' ? 5_000 : 150
const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2024, 0, 1)
const NOW_MS = FIRST_DAY + 5 * DAY_MS + 3_600_250
const clock = fakeClock(new Date(NOW_MS))
/** Dates in the second that an age of some days ends in, and at the ends of that second. */
const AROUND_AGES = [2, 3].flatMap((days) =>
  [-251, -250, -1, 0, 1, 749, 750].map((byMs) => NOW_MS - days * DAY_MS + byMs),
)

const LABELS = [[], [], ['to do'], ['Été', 'work'], ['ete'], ['東京']]

/** Two accounts, and one that is being removed; some messages are copies, and dates of some copies are odd. */
async function generatedMailbox(seed: number, { hasOddDates }: { hasOddDates: boolean }) {
  const database = await temporaryStore()
  const { store } = database
  const make = factories(store, memorySourceStore())
  const random = seededRandom(seed)
  const names = new Map<number, string>()
  const places: (typeof folders.$inferSelect)[] = []
  for (const name of ['Work', 'Ada', 'Gone']) {
    const account = await make.account({ name, email: `${name}@example.org` })
    names.set(account.id, name)
    places.push(await make.inbox(account.id))
    for (const [path, specialUse] of [
      ['Archive', 'archive'],
      ['Junk', 'spam'],
      ['Drafts', 'drafts'],
      ['Projects/Ärchiv', null],
    ] as const)
      places.push(await make.folder(account.id, { path, specialUse }))
  }
  const threadOf = new Map<number, readonly number[]>()
  for (const accountId of names.keys()) {
    const first = await make.thread(accountId)
    const joined = await make.thread(accountId, { joinedTo: first.id })
    const third = await make.thread(accountId)
    threadOf.set(accountId, [first.id, third.id, joined.id])
  }
  const mails: StoredMail[] = []
  for (let number = 0; number < 90; number += 1) {
    const source = searchableSource(random, number)
    const anyDateMs = FIRST_DAY + random.integer(0, 4 * 24 * 60) * 60_000 + random.pick([0, 0, 500])
    const dateMs = AROUND_AGES[number] ?? anyDateMs
    for (let copies = random.pick([1, 1, 1, 2, 3]); copies > 0; copies -= 1) {
      const folder = random.pick(places)
      mails.push(
        await storeMail(store, {
          source,
          folder,
          threadId: random.pick((threadOf.get(folder.accountId) ?? []).slice(0, 2)),
          dateMs,
          ...(hasOddDates && { messageDateMs: dateMs + random.pick([0, 0, 2 * DAY_MS]) }),
          read: random.fraction() < 0.5,
          starred: random.fraction() < 0.3,
          answered: random.fraction() < 0.3,
          labels: random.pick(LABELS),
        }),
      )
    }
  }
  await store.transaction(
    async (tx) =>
      void (await tx.update(accounts).set({ removingSince: 1 }).where(eq(accounts.name, 'Gone'))),
  )
  const survivors = await store.read.select().from(threads)
  const isThere = ({ folder }: StoredMail) => names.get(folder.accountId) !== 'Gone'
  return {
    ...database,
    mails: mails.filter(isThere).toSorted((a, b) => b.contentId - a.contentId || b.id - a.id),
    names: {
      accountNames: ({ folder }: StoredMail) => {
        const name = (names.get(folder.accountId) ?? '').toLowerCase()
        return [name, `${name}@example.org`]
      },
      survivingThread: (id: number) => survivors.find((row) => row.id === id)?.joinedTo ?? id,
    },
  }
}

type Mailbox = Awaited<ReturnType<typeof generatedMailbox>>

const naive = ({ mails, names }: Mailbox, query: string): readonly number[] => {
  const { expression } = parseQuery(query, clock.now().getTime())
  if (expression === undefined) return []
  return mails.filter((mail) => isAskedFor(expression, mail, names)).map(({ id }) => id)
}

/** Everything found, page by page. */
async function found(
  { store }: Pick<Mailbox, 'store'>,
  input: Omit<Parameters<typeof searchLocal>[1], 'limit'> & { limit?: number },
  bounds?: Parameters<typeof searchLocal>[2],
): Promise<readonly number[]> {
  const ids: number[] = []
  let cursor: string | undefined
  do {
    const page = await searchLocal({ store, clock }, { limit: 500, ...input, cursor }, bounds)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return ids
}

const mailboxes = [
  await generatedMailbox(1, { hasOddDates: false }),
  await generatedMailbox(2, { hasOddDates: true }),
]
afterAll(async () => {
  for (const { remove } of mailboxes) await remove()
})

describe('what is found is what somebody who looks at each message would find, newest first', () => {
  test.each([
    ['a mailbox', 0],
    ['one with odd dates', 1],
  ])(
    '%s',
    async (_what, at) => {
      const mailbox = mailboxes[at]
      if (!mailbox) throw new Error('There is no such mailbox.')
      let matched = 0
      const property = fc.asyncProperty(
        anyQuery,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(
          undefined,
          { slice: 1, lookedAtMax: 7 },
          { slice: 3, lookedAtMax: 1_000 },
          { slice: 50, lookedAtMax: 1_000 },
        ),
        async (query, limit, bounds) => {
          fc.pre(query.trim() !== '')
          const expected = naive(mailbox, query)
          if (expected.length > 0) matched += 1
          expect(await found(mailbox, { query, limit }, bounds)).toEqual(expected)
        },
      )
      await fc.assert(property, { numRuns: RUNS })
      expect(matched).toBeGreaterThan(RUNS / 5)
    },
    600_000,
  )

  test.each([
    'older_than:2d',
    'newer_than:2d',
    '-older_than:2d',
    'newer_than:3d older_than:2d',
    'older_than:3d OR newer_than:2d',
    'has:attachment newer_than:3d',
    '-alpha older_than:2d',
    'is:read -newer_than:2d',
  ])('%s, to the millisecond', async (query) => {
    for (const mailbox of mailboxes) {
      const expected = naive(mailbox, query)
      expect(expected).not.toEqual([])
      expect(await found(mailbox, { query })).toEqual(expected)
    }
  })
})
