import { createClient } from '@libsql/client'
import { afterAll, expect, test } from 'vitest'
import { listStatement, type ListShape } from '../../../domain/messages/list-query.ts'
import { temporaryStore } from '../../support/database.ts'

const database = await temporaryStore()
const client = createClient({ url: `file:${database.directory}/svc.db` })
afterAll(async () => {
  client.close()
  await database.remove()
})

const ANY: ListShape = {
  folder: false,
  unread: undefined,
  starred: undefined,
  since: false,
  from: false,
  to: false,
  subject: false,
  cursor: false,
}

/** What SQLite does for a list of this shape. */
async function planOf(shape: Partial<ListShape>): Promise<string> {
  const { sql, params } = listStatement(database.store.read, { ...ANY, ...shape }).toSQL()
  const plan = await client.execute({
    sql: `EXPLAIN QUERY PLAN ${sql}`,
    args: params.map(() => 1),
  })
  return JSON.stringify(plan.rows.map((row) => row['detail']))
}

test.each<[string, Partial<ListShape>, string]>([
  ['the unified inbox', {}, 'messages_inbox'],
  ['a later page of the unified inbox', { cursor: true }, 'messages_inbox'],
  ['the unread mail of all inboxes', { unread: true }, 'messages_inbox_unread'],
  ['the starred mail of all inboxes', { starred: true }, 'messages_inbox_starred'],
  [
    'a later page of the starred mail of all inboxes',
    { starred: true, cursor: true, since: true },
    'messages_inbox_starred',
  ],
  ['a folder', { folder: true }, 'messages_folder'],
  ['a later page of a folder', { folder: true, cursor: true, since: true }, 'messages_folder'],
  ['the unread mail of a folder', { folder: true, unread: true }, 'messages_folder_unread'],
  ['the starred mail of a folder', { folder: true, starred: true }, 'messages_folder_starred'],
])('%s is read in order from its own index', async (_what, shape, index) => {
  const plan = await planOf(shape)
  expect(plan).toMatch(new RegExp(`messages USING (COVERING )?INDEX ${index}\\b`))
  expect(plan).toContain('accounts USING INTEGER PRIMARY KEY')
  expect(plan).not.toContain('TEMP B-TREE')
})
