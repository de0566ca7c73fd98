import type { Hook } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { DomainError, invalidRequest } from '../../domain/errors.ts'
import type { ApiEnv } from './env.ts'

/** Refuses what a schema did not accept. A path that names nothing is not there, rather than malformed. */
export const refuseInvalid: Hook<unknown, ApiEnv, string, void> = (result, c) => {
  if (result.success) return
  if (result.target === 'param') {
    throw new DomainError('not_found', 'There is nothing at this address.')
  }
  const [issue] = result.error.issues
  const where = issue?.path.join('.') ?? ''
  const repeated = result.target === 'query' && isRepeated(c, where)
  const message = repeated
    ? 'given more than once'
    : (issue?.message ?? 'The request is not valid.')
  throw invalidRequest(where === '' ? message : `${where}: ${message}`)
}

const isRepeated = (c: Context, parameter: string) => (c.req.queries(parameter)?.length ?? 0) > 1
