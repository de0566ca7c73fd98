// A server with one Hono route, started by the bench in a process of its own: the SQL of the environment, the client
// library opened as the service opens it, and the rows written as JSON. The floor of what the service does with more.
import { serve } from '@hono/node-server'
import { createClient } from '@libsql/client'
import type { Row, Value } from '@libsql/client'
import { Hono } from 'hono'

const { BENCH_DATABASE_URL: url = '', BENCH_SQL: sql = '', PORT } = process.env
const client = createClient({ url, timeout: 5_000, concurrency: 4 })
const app = new Hono()

app.get('/health', (c) => c.text('well'))

/** Rows as the service shows them. */
app.get('/list', async (c) => {
  const rows = await query(Number(c.req.query('limit')))
  return c.json(answer(rows, Number(c.req.query('limit'))))
})

const prepared = new Map<number, string>()

/** Runs the SQL too, but sends bytes that were made once. */
app.get('/prepared', async (c) => {
  const limit = Number(c.req.query('limit'))
  const rows = await query(limit)
  const bytes = prepared.get(limit) ?? JSON.stringify(answer(rows, limit))
  prepared.set(limit, bytes)
  return c.body(bytes, 200, { 'Content-Type': 'application/json' })
})

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' })

const query = async (limit: number) => (await client.execute({ sql, args: [limit + 1] })).rows

function answer(rows: readonly Row[], limit: number) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const cursor = rows.length > limit && last ? btoa(`${Number(last[12])}.${Number(last[0])}`) : ''
  return { data: shown.map(message), next_cursor: cursor.replaceAll('=', '') }
}

const list = (value: Value | undefined): unknown[] =>
  typeof value === 'string' && value !== '[]' ? JSON.parse(value) : []

const message = (row: Row) => ({
  id: row[0],
  account: row[1],
  folder_id: row[2],
  thread_id: row[3],
  message_id: row[4] ?? undefined,
  in_reply_to: row[5] ?? undefined,
  from: list(row[6])[0],
  to: list(row[7]),
  cc: list(row[8]),
  bcc: list(row[9]),
  reply_to: list(row[10]),
  subject: row[11],
  date: new Date(Number(row[12])).toISOString(),
  size: row[13],
  read: row[14] === 1,
  starred: row[15] === 1,
  answered: row[16] === 1,
  has_attachments: row[17] === 1,
  snippet: row[18],
  labels: list(row[19]),
  draft_id: row[20] ?? undefined,
  snoozed_until: row[21] === null ? undefined : new Date(Number(row[21])).toISOString(),
})
