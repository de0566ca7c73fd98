import { afterAll, expect, test } from 'vitest'
import { array, assert, asyncProperty, boolean, integer, record } from 'fast-check'
import { messages } from '../../../db/schema/messages.ts'
import { listMessages } from '../../../domain/messages/list.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'

const database = await temporaryStore()
const { store } = database
afterAll(() => database.remove())
const make = factories(store, memorySourceStore())
const account = await make.account()
const inbox = await make.inbox(account.id)

const insertAt = (dates: readonly number[]) =>
  Promise.all(dates.map((date) => make.message(inbox, { date, read: date % 2 === 0 })))

// Few dates, so that many messages share one and the id has to decide.
const dates = array(integer({ min: 0, max: 5 }), { maxLength: 12 })

test('paging shows every message that was there once, and none twice, while mail arrives', async () => {
  const property = asyncProperty(
    record({
      before: dates,
      arrivals: array(dates, { maxLength: 3 }),
      limit: integer({ min: 1, max: 5 }),
      unread: boolean(),
    }),
    async ({ before, arrivals, limit, unread }) => {
      await store.transaction(async (tx) => void (await tx.delete(messages)))
      const there = await insertAt(before)
      const arriving = [...arrivals]
      const seen: number[] = []
      let cursor: string | undefined
      do {
        const page = await listMessages({ store }, { limit, cursor, ...(unread ? { unread } : {}) })
        if (page.nextCursor) expect(page.items).toHaveLength(limit)
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
        await insertAt(arriving.pop() ?? [])
      } while (cursor)
      expect(new Set(seen).size).toBe(seen.length)
      const wanted = there.filter((message) => !unread || !message.read).map(({ id }) => id)
      expect(new Set(seen)).toEqual(new Set([...seen, ...wanted]))
    },
  )
  await assert(property, { numRuns: 25 })
})
