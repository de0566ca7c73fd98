import type { MiddlewareHandler } from 'hono'
import { authenticate, unauthorized } from '../../domain/tokens/authenticate.ts'
import { isUseDue, recordUse } from '../../domain/tokens/record-use.ts'
import { verifiedSecrets } from '../../domain/tokens/verified-secrets.ts'
import type { ApiEnv } from '../kit/env.ts'

/** RFC 6750 section 2.1; the scheme's name has no case. */
const BEARER = /^Bearer +([^ ]+)$/i
const VERIFIED_SECRETS_MAX = 1_000

/** Lets only requests with a valid token through, and leaves its `caller`. */
export function requireToken(): MiddlewareHandler<ApiEnv> {
  const verified = verifiedSecrets(VERIFIED_SECRETS_MAX)
  return async function requireToken(c, next) {
    const { runtime } = c.var
    const [, text] = BEARER.exec(c.req.header('Authorization') ?? '') ?? []
    if (text === undefined) throw unauthorized()
    const caller = await authenticate(runtime, text, verified)
    c.set('caller', caller)
    if (!isUseDue(caller, runtime.clock.now())) return next()
    // Beside the request rather than before it; awaited, for at the edge nothing runs on after the answer.
    await Promise.all([next(), recordUse(runtime, caller)])
  }
}
