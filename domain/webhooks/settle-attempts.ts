import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { webhookDeliveries, webhookLanes, webhooks } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { leaveNotice } from '../notices/leave.ts'
import type { EndedAttempt } from './attempt.ts'
import { inWords } from './keep-within-limits.ts'

/** What was written down of an attempt: `lost` where its delivery is no longer what it was when the attempt began. */
export interface SettledAttempt {
  readonly ended: EndedAttempt
  readonly settled: 'ok' | 'failed' | 'dead' | 'lost'
  /** Whether its endpoint was switched off for it. */
  readonly isSwitchedOff: boolean
}

/**
 * Writes down what became of attempts, in one durable transaction with all that follows: an endpoint whose delivery ran
 * out of attempts is switched off, unless it was switched on since the attempt began, and its owner hears of it. Nothing
 * of a lane that this sidecar has lost, nor of a delivery that was replayed meanwhile.
 */
export async function settleAttempts(
  { store }: Needs<'store'>,
  sidecarId: string,
  ended: readonly EndedAttempt[],
): Promise<readonly SettledAttempt[]> {
  return store.durableTransaction(async (tx) => {
    const webhookIds = [...new Set(ended.map(({ attempt }) => attempt.webhookId))]
    const epochs = await epochsOf(tx, sidecarId, webhookIds)
    const ours = ended.filter(({ attempt }) => epochs.get(attempt.webhookId) === attempt.epoch)
    const written = await write(tx, ours)
    const settled: SettledAttempt[] = []
    for (const one of ended) {
      const isWritten = ours.includes(one) && written.has(one.attempt.id)
      const isSwitchedOff = isWritten && isExhausted(one) && (await switchOff(tx, one))
      settled.push({ ended: one, settled: isWritten ? one.outcome.kind : 'lost', isSwitchedOff })
    }
    await noteRoom(tx, settled)
    return settled
  })
}

async function epochsOf(tx: Tx, sidecarId: string, webhookIds: readonly number[]) {
  const lanes = await tx
    .select({ webhookId: webhookLanes.webhookId, epoch: webhookLanes.epoch })
    .from(webhookLanes)
    .where(
      and(eq(webhookLanes.sidecarId, sidecarId), inArray(webhookLanes.webhookId, [...webhookIds])),
    )
  return new Map(lanes.map(({ webhookId, epoch }) => [webhookId, epoch]))
}

/**
 * Writes those that are still what was attempted, all in one statement; returns their ids. What was taken counts, even
 * if it was given up meanwhile.
 */
async function write(tx: Tx, ended: readonly EndedAttempt[]): Promise<ReadonlySet<number>> {
  if (ended.length === 0) return new Set()
  const { id, round, attempts, status } = webhookDeliveries
  const given = <T>(name: keyof ReturnType<typeof outcomeRow>) =>
    sql<T>`given.value ->> ${sql.raw(`'${name}'`)}`
  const rows = await tx
    .update(webhookDeliveries)
    .set({
      status: given('status'),
      attempts: sql`${attempts} + 1`,
      nextAttemptAt: given('nextAttemptAt'),
      lastStatusCode: given('statusCode'),
      lastError: given('error'),
      responseBody: given('responseBody'),
      durationMs: given('durationMs'),
      deliveredAt: given('deliveredAt'),
    })
    .from(sql`json_each(${JSON.stringify(ended.map(outcomeRow))}) as given`)
    .where(
      and(
        eq(id, given('id')),
        eq(round, given('round')),
        eq(attempts, given('attempts')),
        or(inArray(status, ['pending', 'failed']), sql`${given('status')} = 'ok'`),
      ),
    )
    .returning({ id })
  return new Set(rows.map((row) => row.id))
}

const outcomeRow = ({ attempt, outcome, ...ended }: EndedAttempt) => ({
  id: attempt.id,
  round: attempt.round,
  attempts: attempt.attempts,
  status: outcome.kind,
  nextAttemptAt: outcome.kind === 'failed' ? outcome.nextAttemptAt : null,
  statusCode: ended.statusCode,
  error: ended.error,
  responseBody: ended.responseBody,
  durationMs: ended.durationMs,
  deliveredAt: outcome.kind === 'ok' ? ended.endedAt : null,
})

const isExhausted = ({ outcome }: EndedAttempt) => outcome.kind === 'dead' && outcome.isExhausted

async function switchOff(tx: Tx, { attempt, endedAt }: EndedAttempt): Promise<boolean> {
  const { webhookId, activations, url } = attempt
  const [off] = await tx
    .update(webhooks)
    .set({ active: false, autoDisabledAt: endedAt })
    .where(
      and(
        eq(webhooks.id, webhookId),
        eq(webhooks.active, true),
        eq(webhooks.activations, activations),
      ),
    )
    .returning({ id: webhooks.id })
  if (!off) return false
  const text =
    `The webhook for ${inWords(url)} was switched off: all attempts to deliver an event there have failed. What waits ` +
    'for it goes out when it is resumed.'
  await leaveNotice(tx, { kind: 'webhook_disabled', webhookId, text, createdAt: endedAt })
  return true
}

/** Where deliveries succeed again, the owner hears of the next queue that is full. */
async function noteRoom(tx: Tx, settled: readonly SettledAttempt[]): Promise<void> {
  const ids = settled
    .filter((one) => one.settled === 'ok')
    .map(({ ended }) => ended.attempt.webhookId)
  if (ids.length === 0) return
  await tx
    .update(webhooks)
    .set({ queueFullSince: null })
    .where(and(inArray(webhooks.id, [...new Set(ids)]), isNotNull(webhooks.queueFullSince)))
}
