import type { RefusedRecipient } from '../../db/schema/outbox.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import { StorageError } from '../../runtime/ports/storage-error.ts'
import { OutcomeUnknown } from '../../runtime/ports/submission.ts'
import { ClaimLost } from './hold-claim.ts'
import { shown } from './shown.ts'

/** Why a message was not sent, or why nobody knows whether it was. */
export interface Failure {
  /** The server's no, nothing handed over for another reason, or nobody knows. */
  readonly failure: 'refused' | 'not_sent' | 'unknown'
  /** In words for people. */
  readonly error: string
  readonly smtpCode?: number
  /** Whether it makes no sense to try again. */
  readonly isFinal: boolean
  /** Set where the fault is ours. */
  readonly cause?: unknown
}

/** What became of an attempt. `lost`: somebody else has the entry. `left`: the process ends before it began. */
export type Outcome =
  | { readonly kind: 'sent'; readonly refused: readonly RefusedRecipient[] }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'lost' }
  | { readonly kind: 'left' }

/** The process is about to end: thrown in place of a hand-over. */
export class Stopping extends Error {
  override readonly name = 'Stopping'
}

/** What a thrown error comes to. `isBegun`: the hand-over had been written down. */
export function outcomeOfError(error: unknown, isBegun: boolean): Outcome {
  if (error instanceof ClaimLost) return { kind: 'lost' }
  if (error instanceof Stopping) return { kind: 'left' }
  return { kind: 'failed', failure: failureOf(error, isBegun) }
}

function failureOf(error: unknown, isBegun: boolean): Failure {
  if (error instanceof OutcomeUnknown)
    return { failure: 'unknown', error: shown(error.message), isFinal: true }
  if (error instanceof MailServerError) {
    const { kind, message, smtpCode, retryable } = error
    const isRefused = kind === 'refused'
    return {
      // What cannot be handed over at all is refused by nobody.
      failure: isRefused && smtpCode !== undefined ? 'refused' : 'not_sent',
      error: shown(message),
      ...(smtpCode !== undefined && { smtpCode }),
      isFinal: isRefused && !retryable,
    }
  }
  if (isBegun) return { failure: 'unknown', error: UNKNOWN, isFinal: true, cause: error }
  const words = error instanceof StorageError ? error.message : 'The message could not be made.'
  return { failure: 'not_sent', error: words, isFinal: false, cause: error }
}

const UNKNOWN = 'The outcome is unknown: the message may have been sent.'
