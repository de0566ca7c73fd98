/** The closed list of error codes of the API (spec section 7). Clients branch on these. */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'licence_required'
  | 'licence_version'
  | 'insufficient_scope'
  | 'not_found'
  | 'rate_limited'
  | 'upstream'
  | 'send_failed'
  | 'internal'

export type ErrorDetails = Readonly<Record<string, string | number>>

/** A failure with a meaning for the caller. `message` is shown to people; `cause` only ever reaches the log. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetails; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'DomainError'
    this.code = code
    this.details = options.details
  }
}

/** What the caller had seen is no longer so (RFC 9110 section 13.1.1): nothing was changed. */
export class ConditionFailed extends DomainError {
  constructor(message: string) {
    super('invalid_request', message)
  }
}

export const invalidRequest = (message: string) => new DomainError('invalid_request', message)

/** A name is quoted, for it may be empty or hold anything; a number is not. */
export const notFound = (resource: string, id: string | number | bigint) =>
  new DomainError(
    'not_found',
    `There is no ${resource} ${typeof id === 'string' ? `"${id}"` : String(id)}.`,
  )

export const upstream = (message: string, cause?: unknown) =>
  new DomainError('upstream', message, { cause })
