import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { messages } from '../../../db/schema/messages.ts'
import { listChanges } from '../../../domain/changes/list.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'

const database = await temporaryStore()
const { store } = database
afterAll(() => database.remove())
const make = factories(store, memorySourceStore())
const read = (since: number, limit = 100, cursor?: string) =>
  listChanges({ store }, { since, limit, cursor })

test('a reader that returns with its number gets exactly what changed since, in order', async () => {
  const account = await make.account()
  const inbox = await make.inbox(account.id)
  const { seq } = await read(0)
  const message = await make.message(inbox)
  await store.transaction(
    async (tx) => void (await tx.delete(messages).where(eq(messages.id, message.id))),
  )
  const news = await read(seq)
  expect(news.items.map(({ kind, entityId, deleted }) => ({ kind, entityId, deleted }))).toEqual([
    { kind: 'message', entityId: message.id, deleted: true },
    { kind: 'folder', entityId: inbox.id, deleted: false },
  ])
  expect(news.seq).toBe(news.items.at(-1)?.seq)
  expect(await read(news.seq)).toEqual({ items: [], seq: news.seq })
})

test('pages follow each other without a gap', async () => {
  await make.account()
  await make.account()
  const whole = await read(0)
  const paged = []
  let cursor: string | undefined
  do {
    const page = await read(0, 1, cursor)
    paged.push(...page.items)
    cursor = page.nextCursor
  } while (cursor)
  expect(paged).toEqual(whole.items)
})

test('a number this feed has not reached means: read everything again', async () => {
  const { seq } = await read(0)
  await expect(read(seq + 1)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('again'),
  })
})
