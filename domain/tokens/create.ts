import { tokens } from '../../db/schema/tokens.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import { parseScopes } from '../scopes.ts'
import { formatToken, newTokenParts } from './token-format.ts'
import { tokenRecord, type TokenRecord } from './token-record.ts'

export interface CreateToken {
  readonly label: string
  /** Space-separated; unknown scopes are dropped, none at all means `mail:read`. */
  readonly scopes: string
  readonly expiresAt?: Date
}

const LABEL_LENGTH_MAX = 200

/**
 * Creates a token. `secret` is its whole text and exists nowhere else: show it once. Throws `invalid_request`
 * for a blank or overlong label and for an expiry that is not in the future.
 */
export async function createToken(
  ctx: Needs<'store' | 'clock' | 'passwordHasher'>,
  input: CreateToken,
): Promise<{ readonly secret: string; readonly token: TokenRecord }> {
  const label = input.label.trim()
  if (label === '') throw invalidRequest('A token needs a label.')
  if (label.length > LABEL_LENGTH_MAX) {
    throw invalidRequest(`A label has at most ${LABEL_LENGTH_MAX} characters.`)
  }
  const now = ctx.clock.now()
  if (input.expiresAt && !(input.expiresAt > now)) {
    throw invalidRequest('The expiry must be in the future.')
  }
  const parts = newTokenParts()
  const secretHash = await ctx.passwordHasher.hash(parts.secret)
  const [[row]] = await ctx.store.commit((write) => [
    write
      .insert(tokens)
      .values({
        selector: parts.selector,
        secretHash,
        label,
        scopes: parseScopes(input.scopes).join(' '),
        createdAt: now.getTime(),
        expiresAt: input.expiresAt?.getTime() ?? null,
      })
      .returning(),
  ])
  if (!row) throw new Error('The new token was not stored.')
  return { secret: formatToken(parts), token: tokenRecord(row) }
}
