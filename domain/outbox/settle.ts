import { eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { outbox, type RefusedRecipient } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { leaveNotice } from '../notices/leave.ts'
import { type Unit, unitOfWork } from '../unit-of-work.ts'
import type { ClaimedEntry } from './claim.ts'
import { COPY_AFTER_MS } from './copies/due.ts'
import { isHeld } from './hold-claim.ts'
import { markAnswered } from './mark-answered.ts'
import { notSentNotice, partlySentNotice } from './not-sent-notice.ts'
import type { Failure, Outcome } from './outcome.ts'
import { removeAttachments } from './remove-attachments.ts'
import { removeSentDraft } from '../drafts/remove-sent.ts'
import { retryAtMs } from './retry.ts'

type SettlePorts = Needs<'store' | 'clock' | 'wake'>

/** What became of an entry after an attempt. `sent_unfiled`: no copy of it is filed here. */
export type Settled = 'sent' | 'sent_unfiled' | 'failed' | 'postponed' | 'left' | 'lost'

const UNCLAIMED = { claimedBy: null, claimedUntil: null } as const

/**
 * Writes down what became of an attempt, in one durable transaction with all that follows from it, and tells who
 * waits. Nothing where the entry is no longer held.
 */
export async function settle(
  ctx: SettlePorts,
  entry: ClaimedEntry,
  outcome: Outcome,
): Promise<Settled> {
  const settled = await unitOfWork(ctx, (unit) => {
    const nowMs = ctx.clock.now().getTime()
    if (outcome.kind === 'sent') return settleSent(unit, entry, { nowMs, refused: outcome.refused })
    if (outcome.kind === 'failed')
      return settleFailed(unit, entry, { nowMs, failure: outcome.failure })
    return outcome.kind === 'left' ? leave(unit, entry) : Promise.resolve('lost' as const)
  })
  ctx.wake.now('outcomes')
  ctx.wake.now('changes')
  const isForServer = entry.inReplyTo !== null || entry.draftId !== null
  if (isForServer) ctx.wake.now('mailbox_changes')
  return settled
}

async function settleSent(
  unit: Unit,
  entry: ClaimedEntry,
  { nowMs, refused }: { readonly nowMs: number; readonly refused: readonly RefusedRecipient[] },
): Promise<Settled> {
  const { tx } = unit
  const [account] = await tx
    .select({ sentCopy: accounts.sentCopy })
    .from(accounts)
    .where(eq(accounts.id, entry.accountId))
  const isFiled = account?.sentCopy !== 'never'
  const isSettled = await update(unit, entry, {
    ...UNCLAIMED,
    status: 'sent',
    settledAt: nowMs,
    refused,
    error: null,
    smtpCode: null,
    ...(isFiled ? { copy: 'wanted', nextCopyAt: nowMs + COPY_AFTER_MS } : { copy: 'none' }),
  })
  if (!isSettled) return 'lost'
  if (entry.inReplyTo !== null) await markAnswered(unit, { messageId: entry.inReplyTo, nowMs })
  if (entry.draftId !== null) await removeSentDraft(unit, entry.draftId, nowMs)
  if (refused.length > 0 && !entry.isImmediate)
    await leaveNotice(tx, partlySentNotice(entry, { refused, createdAt: nowMs }))
  if (isFiled) return 'sent'
  await removeAttachments(tx, entry.id)
  return 'sent_unfiled'
}

/** Tries it again later where that makes sense; otherwise it has failed, and the owner hears of what nobody waits for. */
async function settleFailed(
  unit: Unit,
  entry: ClaimedEntry,
  { nowMs, failure }: { readonly nowMs: number; readonly failure: Failure },
): Promise<Settled> {
  const smtpCode = failure.smtpCode ?? null
  const words = { ...UNCLAIMED, error: failure.error, smtpCode }
  const retryAt = failure.isFinal ? undefined : retryAtMs(entry, { nowMs, random: Math.random() })
  if (retryAt !== undefined) {
    const again = { ...words, status: 'scheduled', nextAttemptAt: retryAt } as const
    return (await update(unit, entry, again)) ? 'postponed' : 'lost'
  }
  const failed = { ...words, status: 'failed', failure: failure.failure, settledAt: nowMs } as const
  if (!(await update(unit, entry, failed))) return 'lost'
  await removeAttachments(unit.tx, entry.id)
  if (!entry.isImmediate)
    await leaveNotice(unit.tx, notSentNotice(entry, { ...failure, createdAt: nowMs }))
  return 'failed'
}

/** Leaves it for whoever comes next: it was no attempt. */
async function leave(unit: Unit, entry: ClaimedEntry): Promise<Settled> {
  const isLeft = await update(unit, entry, { ...UNCLAIMED, attempts: entry.attempts - 1 })
  return isLeft ? 'left' : 'lost'
}

/** Whether the entry was still held. */
async function update(
  { tx }: Unit,
  entry: ClaimedEntry,
  columns: Partial<typeof outbox.$inferSelect>,
): Promise<boolean> {
  const rows = await tx
    .update(outbox)
    .set(columns)
    .where(isHeld(entry))
    .returning({ id: outbox.id })
  return rows.length > 0
}
