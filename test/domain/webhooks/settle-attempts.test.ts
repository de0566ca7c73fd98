import { expect, onTestFinished, test } from 'vitest'
import type { EndedAttempt } from '../../../domain/webhooks/attempt.ts'
import { beginAttempts } from '../../../domain/webhooks/begin-attempts.ts'
import { acquireLanes, releaseLanes } from '../../../domain/webhooks/lanes.ts'
import { outcomeOf } from '../../../domain/webhooks/retry-ladder.ts'
import { settleAttempts } from '../../../domain/webhooks/settle-attempts.ts'
import { harness } from '../../support/harness.ts'
import { webhookRows } from '../../support/webhooks.ts'

/** A delivery whose attempt has begun in the lane of sidecar `a`. */
async function setUp() {
  const h = await harness()
  onTestFinished(h.close)
  const ctx = h.runtime
  const rows = webhookRows(ctx)
  const { id } = await rows.create()
  const ids = await rows.queue(id)
  await acquireLanes(ctx, 'a', [id])
  const [attempt] = await beginAttempts(ctx, 'a', ids)
  if (!attempt) throw new Error('Nothing was begun.')
  const ended = (statusCode: number): EndedAttempt => ({
    attempt,
    outcome: outcomeOf({ attemptsBefore: attempt.attempts, statusCode, endedAt: 0 }),
    endedAt: 0,
    durationMs: 1,
    statusCode,
    error: null,
    responseBody: 'it said "no"\n\u2028',
  })
  const settle = async (statusCode: number) => {
    const [one] = await settleAttempts(ctx, 'a', [ended(statusCode)])
    return one?.settled
  }
  const row = async () => (await rows.deliveries())[0]
  return { ctx, rows, id, settle, ended, row }
}

test('an outcome is written down once', async () => {
  const { settle, row } = await setUp()
  expect(await settle(500)).toBe('failed')
  expect(await settle(500)).toBe('lost')
  expect(await row()).toMatchObject({
    status: 'failed',
    attempts: 1,
    nextAttemptAt: 60_000,
    lastStatusCode: 500,
    lastError: null,
    responseBody: 'it said "no"\n\u2028',
    durationMs: 1,
    deliveredAt: null,
  })
})

test('nothing is written in a lane that was lost, also where its next holder did nothing yet', async () => {
  const { ctx, id, settle, row } = await setUp()
  await releaseLanes(ctx, 'a', [id])
  await acquireLanes(ctx, 'b', [id])
  expect(await settle(200)).toBe('lost')
  expect(await row()).toMatchObject({ status: 'pending', attempts: 0 })
})

test('nor in one that was lost and came back, for others may have sent it meanwhile', async () => {
  const { ctx, id, settle } = await setUp()
  await releaseLanes(ctx, 'a', [id])
  await acquireLanes(ctx, 'b', [id])
  await releaseLanes(ctx, 'b', [id])
  await acquireLanes(ctx, 'a', [id])
  expect(await settle(200)).toBe('lost')
})

test('a failure does not bring back what was given up for want of room', async () => {
  const { rows, settle, row } = await setUp()
  await rows.setDelivery(1, { status: 'dead', nextAttemptAt: null })
  expect(await settle(500)).toBe('lost')
  expect(await row()).toMatchObject({ status: 'dead', attempts: 0 })
})

test('where deliveries succeed again, the next full queue is told of', async () => {
  const { rows, id, settle } = await setUp()
  await rows.set(id, { queueFullSince: 1 })
  expect(await settle(200)).toBe('ok')
  expect(await rows.webhooks()).toMatchObject([{ queueFullSince: null }])
})

test('several that run out of attempts together switch their endpoint off once', async () => {
  const { ctx, rows, id } = await setUp()
  const ids = await rows.queue(id, 3, { status: 'failed', attempts: 6 })
  const attempts = await beginAttempts(ctx, 'a', ids)
  const settled = await settleAttempts(
    ctx,
    'a',
    attempts.map((attempt) => ({
      attempt,
      outcome: { kind: 'dead', isExhausted: true },
      endedAt: 9,
      durationMs: 1,
      statusCode: null,
      error: 'no',
      responseBody: null,
    })),
  )
  expect(settled.map(({ isSwitchedOff }) => isSwitchedOff)).toEqual([true, false, false])
  expect(await rows.notices()).toHaveLength(1)
  expect(await rows.webhooks()).toMatchObject([{ active: false, autoDisabledAt: 9 }])
})
