import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '@libsql/client'
import { openFileStore } from '../../../runtime/node/file-store.ts'
import { systemClock } from '../../../runtime/node/clock.ts'
import { acquireLanes } from '../../../domain/webhooks/lanes.ts'
import { beginAttempts } from '../../../domain/webhooks/begin-attempts.ts'
import { dueDeliveries } from '../../../domain/webhooks/due-deliveries.ts'
import { keepWithinLimits } from '../../../domain/webhooks/keep-within-limits.ts'
import { listDeliveries } from '../../../domain/webhooks/list-deliveries.ts'
import { settleAttempts } from '../../../domain/webhooks/settle-attempts.ts'
import { statsOf } from '../../../domain/webhooks/stats.ts'
import { waitingLanes } from '../../../domain/webhooks/waiting-lanes.ts'
import { temporaryStore } from '../../support/database.ts'
import { harness } from '../../support/harness.ts'
import { recordedStatements } from '../../support/recorded-statements.ts'
import { webhookRows } from '../../support/webhooks.ts'

async function setUp() {
  const { store, directory, remove } = await temporaryStore()
  await store.close()
  const url = `file:${directory}/svc.db`
  const own = openFileStore(url)
  const h = await harness({ ports: { store: own, clock: systemClock } })
  const client = createClient({ url })
  onTestFinished(async () => {
    client.close()
    await own.close()
    await h.close()
    await remove()
  })
  const rows = webhookRows(h.runtime)
  const { id } = await rows.create()
  const ids = await rows.queue(id, 10)
  await acquireLanes(h.runtime, 'a', [id])
  /** How the database goes about the statements of `work` that read or write deliveries. */
  const plansOf = async (work: () => Promise<unknown>) => {
    const statements = recordedStatements()
    await work()
    const about = [...new Set(statements)].filter((sql) => sql.includes('webhook_deliveries'))
    const plans = about.map(async (sql) => {
      const args = Array.from(sql.matchAll(/\?/g), () => '[]')
      const { rows: steps } = await client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args })
      return steps.map(({ detail }) => (typeof detail === 'string' ? detail : ''))
    })
    return (await Promise.all(plans)).flat()
  }
  return { h, id, ids, plansOf }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

const attempts = async ({ h, ids }: SetUp) => beginAttempts(h.runtime, 'a', ids)

test.each<[string, (given: SetUp) => Promise<unknown>]>([
  ['what waits', ({ h }) => waitingLanes(h.runtime)],
  ['what is due', ({ h, id }) => dueDeliveries(h.runtime, { webhookId: id, limit: 3 })],
  ['what is begun', attempts],
  ['stats', ({ h, id }) => statsOf(h.runtime, [id])],
  [
    'the log',
    ({ h, id }) => listDeliveries(h.runtime, { webhookId: id, limit: 3, cursor: btoa('9') }),
  ],
  [
    'the log by status',
    ({ h, id }) => listDeliveries(h.runtime, { webhookId: id, limit: 3, status: 'ok' }),
  ],
  ['what is kept', ({ h, id }) => h.runtime.store.transaction((tx) => keepWithinLimits(tx, id, 0))],
  [
    'an outcome',
    async (given) => {
      const [attempt] = await attempts(given)
      if (!attempt) throw new Error('Nothing was begun.')
      const ended = { attempt, outcome: { kind: 'ok' as const }, endedAt: 0, durationMs: 0 }
      const reply = { statusCode: 200, error: null, responseBody: '' }
      return settleAttempts(given.h.runtime, 'a', [{ ...ended, ...reply }])
    },
  ],
])('%s is found without reading or sorting all deliveries', async (_what, work) => {
  const given = await setUp()
  const plans = await given.plansOf(() => work(given))
  const about = plans.filter((step) => step.includes('webhook_deliveries'))
  expect(about.length).toBeGreaterThan(0)
  expect(about.filter((step) => !step.startsWith('SEARCH'))).toEqual([])
  expect(plans.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})

test('what is begun is found by its id, however much is due', async () => {
  const given = await setUp()
  const plans = await given.plansOf(() => attempts(given))
  expect(plans).toContain('SEARCH webhook_deliveries USING INTEGER PRIMARY KEY (rowid=?)')
})
