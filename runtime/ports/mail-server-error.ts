/**
 * Why a mail server did not do what it was asked: it could not be reached (`unreachable`), it did not accept the
 * login (`auth`), it answered no (`refused`), or it asked to be left alone for a while (`throttled`). The message is the server's own words where there are any.
 */
export class MailServerError extends Error {
  readonly kind: 'unreachable' | 'auth' | 'refused' | 'throttled'
  /** Whether the same request may succeed later without anybody changing a setting. */
  readonly retryable: boolean
  /** The response code the server gave, such as TRYCREATE or OVERQUOTA (RFC 9051 section 7.1), in upper case. */
  readonly code?: string
  /** The reply code of an SMTP server (RFC 5321 section 4.2). */
  readonly smtpCode?: number

  constructor(
    kind: MailServerError['kind'],
    message: string,
    options: {
      retryable: boolean
      code?: string | undefined
      smtpCode?: number | undefined
      cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.name = 'MailServerError'
    this.kind = kind
    this.retryable = options.retryable
    if (options.code !== undefined) this.code = options.code
    if (options.smtpCode !== undefined) this.smtpCode = options.smtpCode
  }
}
