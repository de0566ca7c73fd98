import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { attachmentChunks, attachmentData } from '../../../db/schema/attachment-data.ts'
import type { Tx } from '../../../db/client.ts'
import { openFileStore } from '../../../runtime/node/file-store.ts'
import type { Store } from '../../../runtime/ports/store.ts'
import { temporaryStore } from '../../support/database.ts'
import { storeSuite } from '../suites/store.ts'

let database: Awaited<ReturnType<typeof temporaryStore>>
const opened: Store[] = []
beforeAll(async () => {
  database = await temporaryStore()
})
afterAll(async () => {
  for (const store of opened) await store.close()
  await database.remove()
})

storeSuite(async () => {
  const store = openFileStore(`file:${join(database.directory, 'svc.db')}`)
  opened.push(store)
  return store
})

/** Counts for a good part of a second. */
const LONG_QUERY = sql<number>`(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 2000000) select max(n) from counted)`

test('while a long read runs, everything else of the process goes on', async () => {
  const { store } = database
  const answer = store.longRead.select({ highest: LONG_QUERY }).from(sql`(select 1)`)
  const answered = answer.then((rows) => rows)
  let turns = 0
  while ((await Promise.race([answered, delay(1)])) === undefined) turns += 1
  expect(await answered).toEqual([{ highest: 2_000_000 }])
  expect(turns).toBeGreaterThan(20)
})

test('a long read asked again sees what came meanwhile, and holds up no checkpoint', async () => {
  const own = await temporaryStore()
  onTestFinished(() => own.remove())
  const client = createClient({ url: `file:${join(own.directory, 'svc.db')}` })
  onTestFinished(() => client.close())
  const ids = () => own.store.longRead.select({ id: attachmentData.id }).from(attachmentData)
  const insert = (id: string) =>
    own.store.commit((write) => [
      write.insert(attachmentData).values({ id, size: 0, createdAt: 0 }),
    ])
  expect(await ids()).toEqual([])
  await insert('one')
  expect(await ids()).toEqual([{ id: 'one' }])
  await client.execute('ALTER TABLE attachment_data ADD COLUMN note text')
  await insert('two')
  expect(await ids()).toEqual([{ id: 'one' }, { id: 'two' }])
  const { rows } = await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  expect(rows[0]).toMatchObject({ busy: 0 })
})

test.each([
  [{}, false],
  [{ leavesCheckpoints: true }, true],
])('%j: whether much that is written stays in the log: %s', async (options, stays) => {
  const own = await temporaryStore()
  onTestFinished(() => own.remove())
  const file = join(own.directory, 'svc.db')
  const store = openFileStore(`file:${file}`, options)
  onTestFinished(() => store.close())
  await store.commit((write) => [
    write.insert(attachmentData).values({ id: 'large', size: 0, createdAt: 0 }),
  ])
  const before = statSync(file).size
  const bytes = new Uint8Array(1_000_000).fill(7)
  const write = (position: number) => (tx: Tx) =>
    tx.insert(attachmentChunks).values({ dataId: 'large', position, bytes })
  for (let position = 0; position < 8; position += 1) await store.transaction(write(position))
  await store.durableTransaction(write(8))
  expect(statSync(file).size === before).toBe(stays)
  expect(
    await store.read.select({ at: attachmentChunks.position }).from(attachmentChunks),
  ).toHaveLength(9)
})
