import type { notices } from '../../db/schema/notices.ts'
import type { outbox } from '../../db/schema/outbox.ts'
import type { Failure } from './outcome.ts'

/** What the owner hears of a message that was not sent, or of which nobody knows. */
export function notSentNotice(
  { accountId, message }: Pick<typeof outbox.$inferSelect, 'accountId' | 'message'>,
  {
    failure,
    error,
    createdAt,
  }: Pick<Failure, 'failure' | 'error'> & { readonly createdAt: number },
): typeof notices.$inferInsert {
  const what = message.subject === '' ? 'A message without a subject' : `"${message.subject}"`
  const text =
    failure === 'unknown'
      ? `${what} may have been sent, or not: ${error}`
      : `${what} was not sent: ${error}`
  return { accountId, kind: 'send_failed', text, createdAt }
}
