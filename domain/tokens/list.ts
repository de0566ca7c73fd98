import { asc } from 'drizzle-orm'
import { tokens } from '../../db/schema/tokens.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { tokenRecord, type TokenRecord } from './token-record.ts'

/** All tokens, revoked and expired ones too, oldest first. */
export async function listTokens(ctx: Needs<'store'>): Promise<readonly TokenRecord[]> {
  const rows = await ctx.store.read.select().from(tokens).orderBy(asc(tokens.id))
  return rows.map(tokenRecord)
}
