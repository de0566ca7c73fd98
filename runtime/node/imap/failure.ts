import type { ImapFlowError } from 'imapflow'
import { MailServerError } from '../../ports/mail-server-error.ts'
import { maskedCause } from '../masked-cause.ts'
import { tlsWords } from '../tls-words.ts'

/** Response codes that say "not now" rather than "not you" (RFC 5530). */
const TEMPORARY = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'THROTTLED'])

/** Those that ask for less, of whatever kind (RFC 5530, and THROTTLED of some large providers). */
const THROTTLING = new Set(['LIMIT', 'THROTTLED'])

/** Where the server did not say why. */
export const CONNECTION_ENDED = 'The server ended the connection.'

/** What imapflow threw, in the words of the port and without the secrets that `mask` knows. */
export function mailServerError(error: unknown, mask: (text: string) => string): MailServerError {
  if (error instanceof MailServerError) return error
  const failure = error as ImapFlowError
  const words = mask(
    failure.responseText ?? tlsWords(failure) ?? failure.reason ?? endWords(failure),
  )
  const cause = maskedCause(error, mask)
  const code = failure.serverResponseCode
  if (failure.authenticationFailed) {
    const retryable = failure.code === 'ETHROTTLE' || TEMPORARY.has(code ?? '')
    return new MailServerError('auth', words, { retryable, code, cause })
  }
  return new MailServerError(kindOf(failure), words, { retryable: true, code, cause })
}

function kindOf(failure: ImapFlowError): MailServerError['kind'] {
  if (isThrottling(failure)) return 'throttled'
  return failure.responseStatus ? 'refused' : 'unreachable'
}

/** Whether what imapflow threw is a request to slow down. */
export const isThrottling = ({ code, serverResponseCode }: Partial<ImapFlowError>): boolean =>
  code === 'ETHROTTLE' || THROTTLING.has(serverResponseCode ?? '')

const endWords = ({ code, message }: ImapFlowError) =>
  code === 'NoConnection' ? CONNECTION_ENDED : message
