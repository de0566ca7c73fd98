import type { RefusedRecipient } from '../../db/schema/outbox.ts'
import { shown } from './shown.ts'

/** As many of them are named. */
const NAMED = 5

/** Recipients and why they did not get a message, in words for people. */
export function recipientsInWords(recipients: readonly RefusedRecipient[]): string {
  const named = recipients.slice(0, NAMED).map((one) => `${one.address} (${one.message})`)
  const others = recipients.length - named.length
  return (others > 0 ? [...named, `${others} more`] : named).join(', ')
}

/** Who still waits for a message that others have. `why` is what kept it from being tried. */
export const waitingWords = (waiting: readonly RefusedRecipient[], why?: string): string =>
  shown(
    `It was sent, but is still tried for ${recipientsInWords(waiting)}${why === undefined ? '' : `: ${why}`}`,
  )

/** Of whom nobody knows whether they have it, while others do. */
export const unknownWords = (waiting: readonly RefusedRecipient[]): string =>
  shown(
    `It was sent, but whether also to these is unknown, since its process ended or the server did not answer: ${recipientsInWords(waiting)}`,
  )
