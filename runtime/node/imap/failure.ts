import type { ImapFlowError } from 'imapflow'
import { MailServerError } from '../../ports/mail-server-error.ts'
import { tlsWords } from '../tls-words.ts'

/** Response codes that say "not now" rather than "not you" (RFC 5530). */
const TEMPORARY = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'THROTTLED'])

/** What imapflow threw, in the words of the port. */
export function mailServerError(error: unknown): MailServerError {
  if (error instanceof MailServerError) return error
  const failure = error as ImapFlowError
  const words = failure.responseText ?? tlsWords(failure) ?? failure.reason ?? failure.message
  if (failure.authenticationFailed) {
    const retryable =
      failure.code === 'ETHROTTLE' || TEMPORARY.has(failure.serverResponseCode ?? '')
    return new MailServerError('auth', words, { retryable, cause: error })
  }
  const kind = failure.responseStatus ? 'refused' : 'unreachable'
  return new MailServerError(kind, words, { retryable: true, cause: error })
}
