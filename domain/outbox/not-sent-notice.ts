import type { notices } from '../../db/schema/notices.ts'
import type { outbox, RefusedRecipient } from '../../db/schema/outbox.ts'
import type { Failure } from './outcome.ts'
import { recipientsInWords } from './rest-words.ts'

type Notice = typeof notices.$inferInsert
type Unsent = Pick<typeof outbox.$inferSelect, 'accountId' | 'message'>

/** What the owner hears of a message that was not sent, or of which nobody knows. */
export function notSentNotice(
  { accountId, message }: Unsent,
  {
    failure,
    error,
    createdAt,
  }: Pick<Failure, 'failure' | 'error'> & { readonly createdAt: number },
): Notice {
  const what = inWords(message)
  const text =
    failure === 'unknown'
      ? `${what} may have been sent, or not: ${error}`
      : `${what} was not sent: ${error}`
  return { accountId, kind: 'send_failed', text, createdAt }
}

/** What the owner hears of a message that some of its recipients do not get. */
export function partlySentNotice(
  { accountId, message }: Unsent,
  { refused, createdAt }: { refused: readonly RefusedRecipient[]; createdAt: number },
): Notice {
  const text = `${inWords(message)} was not sent to ${recipientsInWords(refused)}`
  return { accountId, kind: 'send_failed', text, createdAt }
}

/** What the owner hears of a message of which nobody knows whether the last of its recipients have it. */
export function partlyUnknownNotice(
  { accountId, message, waiting }: Unsent & { readonly waiting: readonly RefusedRecipient[] },
  createdAt: number,
): Notice {
  const text = `${inWords(message)} may have been sent, or not, to ${recipientsInWords(waiting)}`
  return { accountId, kind: 'send_failed', text, createdAt }
}

/** What a message is called in a notice. */
export const inWords = ({ subject }: Unsent['message']) =>
  subject === '' ? 'A message without a subject' : `"${subject}"`
