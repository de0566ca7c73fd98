import { MailServerError } from '../../runtime/ports/mail-server-error.ts'

/** Refusals without a reason that a program can read may pass: so often is asked before they count. */
const ATTEMPTS_WITHOUT_CODE = 3
/** A folder that another program has just renamed is found again under its new name. */
const PERHAPS_RENAMED = new Set(['NONEXISTENT', 'TRYCREATE'])
/** Response codes that say "not now" (RFC 9051 section 7.1). */
const TEMPORARY = new Set(['UNAVAILABLE', 'INUSE', 'SERVERBUG', 'CONTACTADMIN', 'EXPUNGEISSUED'])

/** Whether the server said no to what it was asked, rather than that it cannot be asked. */
export const isRefusal = (error: unknown): error is MailServerError =>
  error instanceof MailServerError && error.kind === 'refused'

/** Whether it will say no again, after so many attempts before this one. */
export const isForGood = (
  { code }: MailServerError,
  attempts: number,
  attemptsWithoutCode = ATTEMPTS_WITHOUT_CODE,
): boolean =>
  code === undefined || PERHAPS_RENAMED.has(code)
    ? attempts + 1 >= attemptsWithoutCode
    : !TEMPORARY.has(code)
