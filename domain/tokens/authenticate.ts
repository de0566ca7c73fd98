import { eq, sql } from 'drizzle-orm'
import { tokens } from '../../db/schema/tokens.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { DomainError } from '../errors.ts'
import { prepared } from '../prepared.ts'
import { parseScopes, type Scope } from '../scopes.ts'
import { parseToken } from './token-format.ts'
import type { VerifiedSecrets } from './verified-secrets.ts'

/** The token a request was made with. */
export interface Caller {
  readonly tokenId: number
  readonly label: string
  readonly scopes: readonly Scope[]
  /** Milliseconds UTC; null when never. */
  readonly lastUsedAt: number | null
}

const bySelector = prepared((read) =>
  read
    .select()
    .from(tokens)
    .where(eq(tokens.selector, sql.placeholder('selector')))
    .prepare(),
)

/**
 * Whose token `text` is. Reads the row anew each time, so a revocation or expiry counts from the next request
 * on. Throws `unauthorized`, with the same words whatever the reason; an unknown selector costs no slow hash.
 */
export async function authenticate(
  ctx: Needs<'store' | 'clock' | 'passwordHasher'>,
  text: string,
  verified: VerifiedSecrets,
): Promise<Caller> {
  const parts = parseToken(text)
  if (!parts) throw unauthorized()
  const [row] = await bySelector(ctx.store.read).all({ selector: parts.selector })
  if (!row || row.revokedAt !== null) throw unauthorized()
  if (row.expiresAt !== null && row.expiresAt <= ctx.clock.now().getTime()) throw unauthorized()
  if (!(await verified.matches(ctx.passwordHasher, parts.secret, row.secretHash))) {
    throw unauthorized()
  }
  return {
    tokenId: row.id,
    label: row.label,
    scopes: parseScopes(row.scopes),
    lastUsedAt: row.lastUsedAt,
  }
}

export const unauthorized = () =>
  new DomainError(
    'unauthorized',
    'Send a valid access token as "Authorization: Bearer <ACCESS_TOKEN>".',
  )
