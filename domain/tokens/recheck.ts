import { eq } from 'drizzle-orm'
import { tokens } from '../../db/schema/tokens.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { parseScopes, type Scope } from '../scopes.ts'
import { unauthorized } from './authenticate.ts'

/** What a token that was accepted may do by now. Throws `unauthorized` once it is revoked, expired or gone. */
export async function recheckToken(
  { store, clock }: Needs<'store' | 'clock'>,
  tokenId: number,
): Promise<readonly Scope[]> {
  const [row] = await store.read.select().from(tokens).where(eq(tokens.id, tokenId))
  if (!row || row.revokedAt !== null) throw unauthorized()
  if (row.expiresAt !== null && row.expiresAt <= clock.now().getTime()) throw unauthorized()
  return parseScopes(row.scopes)
}
