import type { Needs } from '../../../runtime/ports/runtime.ts'
import { type TokenColumns, tokenColumns } from './grant-columns.ts'
import { type StoredGrant, writeTokens } from './stored-grant.ts'
import type { IssuedTokens } from './token-answer.ts'

/** A disk that refuses for a moment; whoever stops waits for the last of them. */
const RETRIED_AFTER_MS = [100, 300, 600]

type Ctx = Needs<'store' | 'secretBox' | 'clock'>

/**
 * Tokens that no write has taken yet, sealed, by what they take the place of. The refresh token that they came for
 * may have been good once only: without them its owner would have to authorise again.
 */
const unsaved = new Map<string, TokenColumns>()

const keyOf = ({ revision, sealedRefreshToken }: StoredGrant) => `${revision} ${sealedRefreshToken}`

/**
 * Stores what the claimed refresh gave; false when the grant has been replaced meanwhile. Throws what the store
 * throws; then the tokens are kept as long as the process lives, for `saveKeptTokens`.
 */
export async function saveTokens(
  ctx: Ctx,
  grant: StoredGrant,
  tokens: IssuedTokens,
): Promise<boolean> {
  unsaved.set(keyOf(grant), await tokenColumns(ctx, tokens))
  for (const pauseMs of RETRIED_AFTER_MS) {
    try {
      return await saveKeptTokens(ctx, grant)
    } catch {
      await ctx.clock.sleep(pauseMs)
    }
  }
  return saveKeptTokens(ctx, grant)
}

/** Stores what an earlier refresh gave, where that could not be written; whether there was any such thing. */
export async function saveKeptTokens(ctx: Needs<'store'>, grant: StoredGrant): Promise<boolean> {
  const columns = unsaved.get(keyOf(grant))
  if (!columns) return false
  const isSaved = await writeTokens(ctx, grant, columns)
  unsaved.delete(keyOf(grant))
  return isSaved
}
