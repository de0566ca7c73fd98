import type { outbox, RefusedRecipient } from '../../db/schema/outbox.ts'
import type { ClaimedEntry } from './claim.ts'
import { retryAtMs, type TryTime } from './retry.ts'
import { waitingWords } from './rest-words.ts'

/** The recipients who did not get a message that others have got. */
interface Rest {
  /** Whom it is sent to again, alone. */
  readonly waiting: readonly RefusedRecipient[]
  /** Who never gets it. */
  readonly refused: readonly RefusedRecipient[]
  /** Milliseconds UTC. */
  readonly retryAt: number | undefined
}

/**
 * Who of those that the server did not take are tried again: whom it refused for now, of a scheduled message, for as long
 * as that is tried.
 */
export function restOf(
  entry: ClaimedEntry,
  refused: readonly RefusedRecipient[],
  time: TryTime,
): Rest {
  const retryAt = retryAtMs(entry, time)
  if (retryAt === undefined) return { waiting: [], refused, retryAt }
  return {
    waiting: refused.filter(isForNow),
    refused: refused.filter((recipient) => !isForNow(recipient)),
    retryAt,
  }
}

/** Reply codes from 400 to 499 mean "not now" (RFC 5321 section 4.2.1). */
const isForNow = ({ smtpCode }: RefusedRecipient) => smtpCode >= 400 && smtpCode < 500

/** What an entry is once others have the message. `why` is what kept it from being tried, in words for people. */
export function restColumns(
  entry: Pick<ClaimedEntry, 'refused'>,
  { waiting, refused, retryAt }: Rest,
  { nowMs, why }: { readonly nowMs: number; readonly why?: string },
): Partial<typeof outbox.$inferSelect> {
  const all = { refused: [...(entry.refused ?? []), ...refused], smtpCode: null }
  if (waiting.length === 0 || retryAt === undefined)
    return { ...all, status: 'sent', waiting: null, settledAt: nowMs, error: null }
  const error = waitingWords(waiting, why)
  return { ...all, status: 'scheduled', waiting, nextAttemptAt: retryAt, error }
}
