import { eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { RefusedRecipient } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { leaveNotice } from '../notices/leave.ts'
import { type Unit, unitOfWork } from '../unit-of-work.ts'
import type { ClaimedEntry } from './claim.ts'
import { COPY_AFTER_MS } from './copies/due.ts'
import { markAnswered } from './mark-answered.ts'
import { notSentNotice, partlySentNotice } from './not-sent-notice.ts'
import type { Failure, Outcome } from './outcome.ts'
import { removeAttachments } from './remove-attachments.ts'
import { removeSentDraft } from '../drafts/remove-sent.ts'
import { restColumns, restOf } from './rest.ts'
import { retryAtMs } from './retry.ts'
import { isPartlySent, settleFailedRest, type SettledRest, settleRest } from './settle-rest.ts'
import { updateHeld } from './update-held.ts'

type SettlePorts = Needs<'store' | 'clock' | 'wake'>

/**
 * What became of an entry after an attempt. `sent`: the first of its recipients have it; `sent_unfiled`: so do they, and
 * no copy of it is filed here.
 */
export type Settled = 'sent' | 'sent_unfiled' | 'failed' | 'left' | SettledRest

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
    if (outcome.kind === 'sent') {
      const taken = { nowMs, refused: outcome.refused }
      return isPartlySent(entry) ? settleRest(unit, entry, taken) : settleSent(unit, entry, taken)
    }
    if (outcome.kind === 'failed') {
      const failed = { nowMs, failure: outcome.failure }
      return isPartlySent(entry)
        ? settleFailedRest(unit, entry, failed)
        : settleFailed(unit, entry, failed)
    }
    return outcome.kind === 'left' ? leave(unit, entry) : Promise.resolve('lost' as const)
  })
  ctx.wake.now('outcomes')
  ctx.wake.now('changes')
  const isForServer = entry.inReplyTo !== null || entry.draftId !== null
  if (isForServer) ctx.wake.now('mailbox_changes')
  return settled
}

/** Does once what follows when a message was sent, also where some recipients still wait for it. */
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
  const rest = restOf(entry, refused, { nowMs, random: Math.random() })
  const isSettled = await updateHeld(unit, entry, {
    ...restColumns(entry, rest, { nowMs }),
    ...(isFiled ? { copy: 'wanted', nextCopyAt: nowMs + COPY_AFTER_MS } : { copy: 'none' }),
  })
  if (!isSettled) return 'lost'
  if (entry.inReplyTo !== null) await markAnswered(unit, { messageId: entry.inReplyTo, nowMs })
  if (entry.draftId !== null) await removeSentDraft(unit, entry.draftId, nowMs)
  if (rest.refused.length > 0 && !entry.isImmediate)
    await leaveNotice(tx, partlySentNotice(entry, { refused: rest.refused, createdAt: nowMs }))
  if (isFiled) return 'sent'
  if (rest.waiting.length === 0) await removeAttachments(tx, entry.id)
  return 'sent_unfiled'
}

/** Tries it again later where that makes sense; otherwise it has failed, and the owner hears of what nobody waits for. */
async function settleFailed(
  unit: Unit,
  entry: ClaimedEntry,
  { nowMs, failure }: { readonly nowMs: number; readonly failure: Failure },
): Promise<Settled> {
  const smtpCode = failure.smtpCode ?? null
  const words = { error: failure.error, smtpCode }
  const retryAt = failure.isFinal ? undefined : retryAtMs(entry, { nowMs, random: Math.random() })
  if (retryAt !== undefined) {
    const again = { ...words, status: 'scheduled', nextAttemptAt: retryAt } as const
    return (await updateHeld(unit, entry, again)) ? 'postponed' : 'lost'
  }
  const failed = { ...words, status: 'failed', failure: failure.failure, settledAt: nowMs } as const
  if (!(await updateHeld(unit, entry, failed))) return 'lost'
  await removeAttachments(unit.tx, entry.id)
  if (!entry.isImmediate)
    await leaveNotice(unit.tx, notSentNotice(entry, { ...failure, createdAt: nowMs }))
  return 'failed'
}

/** Leaves it for whoever comes next: it was no attempt. */
async function leave(unit: Unit, entry: ClaimedEntry): Promise<Settled> {
  const before = { status: 'scheduled', attempts: entry.attempts - 1 } as const
  const isLeft = await updateHeld(unit, entry, before)
  return isLeft ? 'left' : 'lost'
}
