import type { notices } from '../../db/schema/notices.ts'
import type { outbox, RefusedRecipient } from '../../db/schema/outbox.ts'
import type { Failure } from './outcome.ts'

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

/** As many of them are named. */
const REFUSED_NAMED = 5

/** What the owner hears of a message that some of its recipients do not get. */
export function partlySentNotice(
  { accountId, message }: Unsent,
  { refused, createdAt }: { refused: readonly RefusedRecipient[]; createdAt: number },
): Notice {
  const named = refused.slice(0, REFUSED_NAMED).map((one) => `${one.address} (${one.message})`)
  const others = refused.length - named.length
  const all = others > 0 ? [...named, `${others} more`] : named
  const text = `${inWords(message)} was not sent to ${all.join(', ')}`
  return { accountId, kind: 'send_failed', text, createdAt }
}

/** What a message is called in a notice. */
export const inWords = ({ subject }: Unsent['message']) =>
  subject === '' ? 'A message without a subject' : `"${subject}"`
