import { z } from '@hono/zod-openapi'
import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ConditionFailed, DomainError, type ErrorCode } from '../../domain/errors.ts'
import type { ApiEnv } from './env.ts'

const STATUS: Readonly<Record<ErrorCode, ContentfulStatusCode>> = {
  invalid_request: 400,
  unauthorized: 401,
  licence_required: 402,
  licence_version: 402,
  insufficient_scope: 403,
  not_found: 404,
  rate_limited: 429,
  internal: 500,
  upstream: 502,
  send_failed: 502,
}

export const ErrorBody = z
  .object({
    error: z
      .object({
        code: z
          .enum(Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]])
          .openapi({ description: 'What went wrong, for programs. Stable.' }),
        message: z
          .string()
          .openapi({ description: 'What went wrong, for people. The wording may change.' }),
        details: z
          .record(z.string(), z.union([z.string(), z.number()]))
          .optional()
          .openapi({
            description: 'More about it, by code: `url` is where a licence error can be fixed.',
          }),
      })
      .openapi({ description: 'The failure.' }),
  })
  .openapi('Error', {
    description: 'The body of every answer that is not a success.',
    example: { error: { code: 'not_found', message: 'There is no message 17.' } },
  })

/** Answers every failure with the envelope, and logs one line about it: never a payload or a secret. */
export function errorHandler(
  operationOf: (c: Context) => string | undefined,
): ErrorHandler<ApiEnv> {
  return (thrown, c) => {
    const error = toDomainError(thrown)
    const status = statusOf(error)
    const { logger } = c.var.runtime
    const fields = {
      code: error.code,
      status,
      operation: operationOf(c),
      tokenId: callerOf(c)?.tokenId,
    }
    if (status === 500) logger.error('request failed', error.cause, fields)
    else logger.info('request failed', fields)
    if (status === 401) c.header('WWW-Authenticate', 'Bearer')
    if (thrown instanceof MethodNotAllowed) c.header('Allow', thrown.allowed.join(', '))
    return c.json(bodyOf(error), status)
  }
}

/** The path is known, but not with this method. */
export class MethodNotAllowed extends DomainError {
  readonly allowed: readonly string[]

  constructor(allowed: readonly string[]) {
    super('invalid_request', `This address answers only ${allowed.join(' and ')}.`)
    this.allowed = allowed
  }
}

function statusOf(error: DomainError): ContentfulStatusCode {
  if (error instanceof MethodNotAllowed) return 405
  return error instanceof ConditionFailed ? 412 : STATUS[error.code]
}

const callerOf = (c: Context<ApiEnv>): ApiEnv['Variables']['caller'] | undefined => c.var.caller

const bodyOf = ({ code, message, details }: DomainError): z.infer<typeof ErrorBody> => ({
  error: { code, message, ...(details ? { details } : {}) },
})

function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown
  if (thrown instanceof HTTPException && thrown.status < 500) {
    return new DomainError('invalid_request', messageOf(thrown), { cause: thrown })
  }
  return new DomainError('internal', 'Something went wrong here. The log says what.', {
    cause: thrown,
  })
}

const messageOf = (exception: HTTPException) =>
  exception.status === 415
    ? 'Send the body as JSON, with the content type application/json.'
    : exception.message
