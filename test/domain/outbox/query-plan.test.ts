import { createClient } from '@libsql/client'
import { and, eq, lte, type SQL } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { outbox } from '../../../db/schema/outbox.ts'
import { isCopyDue } from '../../../domain/outbox/copies/due.ts'
import { isOpen } from '../../../domain/outbox/open.ts'
import { temporaryStore } from '../../support/database.ts'

const database = await temporaryStore()
const client = createClient({ url: `file:${database.directory}/svc.db` })
afterAll(async () => {
  client.close()
  await database.remove()
})

test.each<[string, SQL | undefined, string]>([
  ['what is due', and(eq(outbox.status, 'scheduled'), lte(outbox.nextAttemptAt, 1)), 'outbox_due'],
  ['what is being sent', eq(outbox.status, 'sending'), 'outbox_due'],
])('%s is found without reading what was sent', async (_what, condition, index) => {
  const query = database.store.read.select({ id: outbox.id }).from(outbox)
  const { sql, params } = query.where(and(isOpen, condition)).toSQL()
  const args = params.map((value) => value as string | number)
  const plan = await client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args })
  expect(JSON.stringify(plan.rows)).toContain(`USING INDEX ${index}`)
})

test('so are copies that are to be filed', async () => {
  const query = database.store.read.select({ id: outbox.id }).from(outbox)
  const { sql, params } = query.where(and(eq(outbox.accountId, 1), isCopyDue(1))).toSQL()
  const args = params.map((value) => value as string | number)
  const plan = await client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args })
  expect(JSON.stringify(plan.rows)).toContain('outbox_copies')
})
