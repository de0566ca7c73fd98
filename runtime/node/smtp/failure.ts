import { MailServerError } from '../../ports/mail-server-error.ts'
import { maskedCause } from '../masked-cause.ts'
import { tlsWords } from '../tls-words.ts'

interface SmtpFailure extends Error {
  readonly code?: string
  readonly originalCode?: string
  readonly response?: string
  readonly responseCode?: number
}

/** What nodemailer threw, in the words of the port and without the secrets that `mask` knows. */
export function mailServerError(error: unknown, mask: (text: string) => string): MailServerError {
  if (error instanceof MailServerError) return error
  const failure = error as SmtpFailure
  const words = mask(replyWords(failure))
  const smtpCode = refusalCode(error)
  // Reply codes from 400 to 499 mean "not now" (RFC 5321 section 4.2.1).
  const options = {
    retryable: smtpCode === undefined || smtpCode < 500,
    smtpCode,
    cause: maskedCause(error, mask),
  }
  if (failure.code === 'EAUTH' && failure.response)
    return new MailServerError('auth', words, options)
  return new MailServerError(failure.response ? 'refused' : 'unreachable', words, options)
}

/** The code of a reply that says no; undefined where the server said something else, or nothing. */
export function refusalCode(error: unknown): number | undefined {
  const { responseCode = 0 } = error as Partial<SmtpFailure>
  return responseCode >= 400 && responseCode < 600 ? responseCode : undefined
}

/** What a server said no to, where nodemailer only knows that it ended the connection. */
export function withReply(error: unknown, response: string): Error {
  return Object.assign(new Error(response, { cause: error }), {
    response,
    responseCode: Number(response.slice(0, 3)),
  })
}

/** A message that cannot be handed over to this server, now or later. */
export const cannotBeSent = (why: string): MailServerError =>
  new MailServerError('refused', why, { retryable: false })

/** The reply to STARTTLS does not say what it answers. */
function replyWords(failure: SmtpFailure): string {
  const { code, response, message } = failure
  if (response === undefined) return tlsWords(failure) ?? message
  return code === 'ETLS' ? `The server refuses STARTTLS: ${response}` : response
}
