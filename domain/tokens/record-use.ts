import { and, eq, gte, isNull, lte, or } from 'drizzle-orm'
import { tokens } from '../../db/schema/tokens.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Caller } from './authenticate.ts'

const INTERVAL_MS = 60_000

/** Whether the last recorded use is a minute old, or there is none; one of the future is no use to anybody. */
export const isUseDue = ({ lastUsedAt }: Caller, now: Date): boolean =>
  lastUsedAt === null || Math.abs(now.getTime() - lastUsedAt) >= INTERVAL_MS

/**
 * Writes when the token was used last, at most once a minute over all processes. Never rejects: a use that
 * cannot be recorded is logged and does not fail the request.
 */
export async function recordUse(
  ctx: Needs<'store' | 'clock' | 'logger'>,
  caller: Caller,
): Promise<void> {
  const now = ctx.clock.now().getTime()
  try {
    await ctx.store.transaction(async (tx) => {
      await tx
        .update(tokens)
        .set({ lastUsedAt: now })
        .where(
          and(
            eq(tokens.id, caller.tokenId),
            or(
              isNull(tokens.lastUsedAt),
              lte(tokens.lastUsedAt, now - INTERVAL_MS),
              gte(tokens.lastUsedAt, now + INTERVAL_MS),
            ),
          ),
        )
    })
  } catch (error) {
    ctx.logger.error('a token use was not recorded', error, { tokenId: caller.tokenId })
  }
}
