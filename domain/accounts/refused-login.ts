import { MailServerError } from '../../runtime/ports/mail-server-error.ts'

/** Whether a server does not accept a login, and will not until something changes. */
export const isRefusedLogin = (error: unknown): error is MailServerError =>
  error instanceof MailServerError && error.kind === 'auth' && !error.retryable

/** What to say of an access token that was refused although it is new: servers speak of a wrong password then too. */
export const refusedTwice = (error: MailServerError): MailServerError =>
  new MailServerError('auth', `The server refuses a new access token: ${error.message}`, {
    retryable: false,
    cause: error,
  })
