import type { RefusedRecipient } from '../../db/schema/outbox.ts'
import { leaveNotice } from '../notices/leave.ts'
import type { Unit } from '../unit-of-work.ts'
import type { ClaimedEntry } from './claim.ts'
import { partlySentNotice, partlyUnknownNotice } from './not-sent-notice.ts'
import type { Failure } from './outcome.ts'
import { removeAttachments } from './remove-attachments.ts'
import { restColumns, restOf } from './rest.ts'
import { unknownWords } from './rest-words.ts'
import { updateHeld } from './update-held.ts'

/** An entry that some of its recipients have got, tried again for the others. */
export interface PartlySent extends ClaimedEntry {
  readonly waiting: readonly RefusedRecipient[]
}

export const isPartlySent = (entry: ClaimedEntry): entry is PartlySent => entry.waiting !== null

/** `completed`: nobody waits for it any more. */
export type SettledRest = 'completed' | 'postponed' | 'lost'

/** Writes down whom the server did not take of those who waited; the others have it now. */
export async function settleRest(
  unit: Unit,
  entry: PartlySent,
  given: {
    readonly nowMs: number
    readonly refused: readonly RefusedRecipient[]
    readonly why?: string
  },
): Promise<SettledRest> {
  const { nowMs, refused } = given
  const rest = restOf(entry, refused, { nowMs, random: Math.random() })
  const updated = await updateHeld(unit, entry, restColumns(entry, rest, given))
  if (!updated) return 'lost'
  if (rest.refused.length > 0)
    await leaveNotice(unit.tx, partlySentNotice(entry, { refused: rest.refused, createdAt: nowMs }))
  if (rest.waiting.length > 0) return 'postponed'
  if (updated.copy !== 'wanted') await removeAttachments(unit.tx, entry.id)
  return 'completed'
}

/** Nobody got it this time, or nobody knows: then it is never sent to them again. */
export async function settleFailedRest(
  unit: Unit,
  entry: PartlySent,
  { nowMs, failure }: { readonly nowMs: number; readonly failure: Failure },
): Promise<SettledRest> {
  if (failure.failure === 'unknown') return settleUnknownRest(unit, entry, nowMs)
  const { smtpCode, error, isFinal } = failure
  const isAnswered = isFinal || failure.failure === 'refused'
  const answer = { smtpCode: smtpCode ?? 0, message: error }
  const refused = entry.waiting.map((one) => (isAnswered ? { ...one, ...answer } : one))
  return settleRest(unit, entry, { nowMs, refused, ...(!isAnswered && { why: error }) })
}

async function settleUnknownRest(
  unit: Unit,
  entry: PartlySent,
  nowMs: number,
): Promise<SettledRest> {
  const updated = await updateHeld(unit, entry, unknownRest(entry, nowMs))
  if (!updated) return 'lost'
  await leaveNotice(unit.tx, partlyUnknownNotice(entry, nowMs))
  if (updated.copy !== 'wanted') await removeAttachments(unit.tx, entry.id)
  return 'completed'
}

/** What an entry is of which nobody knows whether those have it who waited. */
export const unknownRest = ({ waiting }: Pick<PartlySent, 'waiting'>, nowMs: number) =>
  ({
    status: 'sent',
    waiting: null,
    settledAt: nowMs,
    error: unknownWords(waiting),
    smtpCode: null,
  }) as const
