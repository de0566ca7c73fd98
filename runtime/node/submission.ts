import { createTransport } from 'nodemailer'
import { MailServerError } from '../ports/mail-server-error.ts'
import type { ServerSettings } from '../ports/mail-server.ts'
import type { Submission } from '../ports/submission.ts'
import { maskOfLogin } from './mask-of-login.ts'
import { maskedCause } from './masked-cause.ts'
import { tlsWords } from './tls-words.ts'

const DNS_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 30_000
const GREETING_TIMEOUT_MS = 16_000
const SILENCE_TIMEOUT_MS = 30_000

/** SMTP over nodemailer. */
export function nodemailerSubmission(): Submission {
  return {
    async verify(settings) {
      const transport = transportTo(settings)
      try {
        await transport.verify()
      } catch (error) {
        throw mailServerError(error, maskOfLogin(settings.login))
      } finally {
        transport.close()
      }
    },
  }
}

function transportTo({ host, port, tls, user, login }: ServerSettings) {
  return createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    auth:
      login.kind === 'oauth'
        ? { type: 'OAuth2', user, accessToken: login.accessToken }
        : { user, pass: login.password },
    // A server that offers no login at all must not look as if it had accepted one.
    forceAuth: true,
    dnsTimeout: DNS_TIMEOUT_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

interface SmtpFailure extends Error {
  readonly code?: string
  readonly originalCode?: string
  readonly response?: string
  readonly responseCode?: number
}

function mailServerError(error: unknown, mask: (text: string) => string): MailServerError {
  const failure = error as SmtpFailure
  const words = mask(replyWords(failure))
  const cause = maskedCause(error, mask)
  // Reply codes from 400 to 499 mean "not now" (RFC 5321 section 4.2.1).
  const retryable = failure.responseCode === undefined || failure.responseCode < 500
  if (failure.code === 'EAUTH' && failure.response)
    return new MailServerError('auth', words, { retryable, cause })
  return new MailServerError(failure.response ? 'refused' : 'unreachable', words, {
    retryable,
    cause,
  })
}

/** The reply to STARTTLS does not say what it answers. */
function replyWords(failure: SmtpFailure): string {
  const { code, response, message } = failure
  if (response === undefined) return tlsWords(failure) ?? message
  return code === 'ETLS' ? `The server refuses STARTTLS: ${response}` : response
}
