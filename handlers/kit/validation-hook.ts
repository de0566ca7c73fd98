import type { Hook } from '@hono/zod-openapi'
import { DomainError, invalidRequest } from '../../domain/errors.ts'
import type { ApiEnv } from './env.ts'

/** Refuses what a schema did not accept. A path that names nothing is not there, rather than malformed. */
export const refuseInvalid: Hook<unknown, ApiEnv, string, void> = (result) => {
  if (result.success) return
  if (result.target === 'param') {
    throw new DomainError('not_found', 'There is nothing at this address.')
  }
  const [issue] = result.error.issues
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
  throw invalidRequest(`${where}${issue?.message ?? 'The request is not valid.'}`)
}
