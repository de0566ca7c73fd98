import { and, asc, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { webhookDeliveries, webhooks } from '../../db/schema/webhooks.ts'
import { leaveNotice } from '../notices/leave.ts'
import { isUnsettled } from './unsettled.ts'

/** So many rows of an endpoint are kept (spec section 8), beside those that are not settled. */
const KEPT = 100
/** So many may wait (contract section 6). */
const WAITING_MAX = 10_000

/**
 * Forgets the settled deliveries of an endpoint that are not among its newest, and gives up the oldest that wait where
 * they are too many. The owner hears of the latter once, until a delivery succeeds again.
 */
export async function keepWithinLimits(tx: Tx, webhookId: number, nowMs: number): Promise<void> {
  await pruneSettled(tx, webhookId)
  if (await giveUpOverflow(tx, webhookId)) await noteFullQueue(tx, webhookId, nowMs)
}

/** Forgets the settled deliveries of an endpoint that are not among its newest. */
export async function pruneSettled(tx: Tx, webhookId: number): Promise<void> {
  const oldestKept = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhookId))
    .orderBy(desc(webhookDeliveries.id))
    .limit(1)
    .offset(KEPT - 1)
  await tx
    .delete(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        inArray(webhookDeliveries.status, ['ok', 'dead']),
        lt(webhookDeliveries.id, sql`(${oldestKept})`),
      ),
    )
}

/** Whether there was any. */
async function giveUpOverflow(tx: Tx, webhookId: number): Promise<boolean> {
  const isWaiting = and(eq(webhookDeliveries.webhookId, webhookId), isUnsettled)
  // Reads no further than there may be: the index holds no others.
  const beyond = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(isWaiting)
    .limit(WAITING_MAX)
    .offset(WAITING_MAX)
  if (beyond.length === 0) return false
  const oldest = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(isWaiting)
    .orderBy(asc(webhookDeliveries.id))
    .limit(beyond.length)
  await tx
    .update(webhookDeliveries)
    .set({
      status: 'dead',
      nextAttemptAt: null,
      lastError: `queue full: ${WAITING_MAX} newer deliveries wait`,
    })
    .where(inArray(webhookDeliveries.id, oldest))
  return true
}

async function noteFullQueue(tx: Tx, webhookId: number, createdAt: number): Promise<void> {
  const [full] = await tx
    .update(webhooks)
    .set({ queueFullSince: createdAt })
    .where(and(eq(webhooks.id, webhookId), isNull(webhooks.queueFullSince)))
    .returning({ url: webhooks.url })
  if (!full) return
  const text =
    `${WAITING_MAX} webhook deliveries wait for ${inWords(full.url)}, which is all that are kept: the oldest are ` +
    'given up for every new one.'
  await leaveNotice(tx, { kind: 'webhook_queue_full', webhookId, text, createdAt })
}

/** What an endpoint is called in a notice: its URL may hold a secret behind the host. */
export const inWords = (url: string): string => URL.parse(url)?.origin ?? url
