import { eq, sql } from 'drizzle-orm'
import { tokens } from '../../db/schema/tokens.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'
import { tokenRecord, type TokenRecord } from './token-record.ts'

/**
 * Revokes a token for good, effective at its next request. Revoking it again keeps the first time. Throws
 * `not_found` for an unknown id.
 */
export async function revokeToken(
  ctx: Needs<'store' | 'clock'>,
  input: { readonly id: number },
): Promise<TokenRecord> {
  const now = ctx.clock.now().getTime()
  const [[row]] = await ctx.store.commit((write) => [
    write
      .update(tokens)
      .set({ revokedAt: sql`coalesce(${tokens.revokedAt}, ${now})` })
      .where(eq(tokens.id, input.id))
      .returning(),
  ])
  if (!row) throw notFound('token', input.id)
  return tokenRecord(row)
}
