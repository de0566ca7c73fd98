import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { accounts } from '../../../db/schema/accounts.ts'
import { oauthGrants, type RefreshFailure } from '../../../db/schema/oauth-grants.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { databaseNowMs } from '../../database-time.ts'
import { tokenColumns } from './grant-columns.ts'
import type { IssuedTokens } from './token-answer.ts'

/** Longer than the token endpoint may take: whoever claims a refresh has ended by then, one way or the other. */
const CLAIM_MS = 20_000
const LOOK_EVERY_MS = 50

/** A grant as the store holds it, and the account it is for. */
export type StoredGrant = typeof oauthGrants.$inferSelect & {
  readonly accountName: string
  /** Whether somebody is getting a new access token just now. */
  readonly isRefreshing: boolean
}

export async function findGrant(
  { store }: Needs<'store'>,
  accountId: number,
): Promise<StoredGrant | undefined> {
  const [row] = await store.read
    .select({
      grant: oauthGrants,
      accountName: accounts.name,
      isRefreshing: sql<number>`coalesce(${oauthGrants.refreshClaimedUntil} > ${databaseNowMs}, 0)`,
    })
    .from(oauthGrants)
    .innerJoin(accounts, eq(accounts.id, oauthGrants.accountId))
    .where(eq(oauthGrants.accountId, accountId))
  return row && { ...row.grant, accountName: row.accountName, isRefreshing: row.isRefreshing === 1 }
}

const sameTokens = ({ accountId, revision }: StoredGrant) =>
  and(eq(oauthGrants.accountId, accountId), eq(oauthGrants.revision, revision))

/** The right to get the next access token, for one only: false where another has it or has got one already. */
export async function claimRefresh(
  { store }: Needs<'store'>,
  grant: StoredGrant,
): Promise<boolean> {
  const { refreshClaimedUntil } = oauthGrants
  const isFree = or(isNull(refreshClaimedUntil), lte(refreshClaimedUntil, databaseNowMs))
  const [claimed] = await store.commit((write) => [
    write
      .update(oauthGrants)
      .set({ refreshClaimedUntil: sql`${databaseNowMs} + ${CLAIM_MS}` })
      .where(and(sameTokens(grant), isFree))
      .returning({ accountId: oauthGrants.accountId }),
  ])
  return claimed.length > 0
}

/** The grant once whoever is getting a new token has ended; undefined when it is gone. */
export async function untilRefreshed(
  ctx: Needs<'store' | 'clock'>,
  before: StoredGrant,
): Promise<StoredGrant | undefined> {
  for (;;) {
    const grant = await findGrant(ctx, before.accountId)
    if (!grant?.isRefreshing || grant.revision !== before.revision) return grant
    await ctx.clock.sleep(LOOK_EVERY_MS)
  }
}

/** Stores what the claimed refresh gave; false when the grant has been replaced meanwhile. */
export async function saveTokens(
  ctx: Needs<'store' | 'secretBox' | 'clock'>,
  grant: StoredGrant,
  tokens: IssuedTokens,
): Promise<boolean> {
  const columns = await tokenColumns(ctx, tokens)
  const [saved] = await ctx.store.commit((write) => [
    write
      .update(oauthGrants)
      .set({ ...columns, revision: sql`${oauthGrants.revision} + 1` })
      .where(sameTokens(grant))
      .returning({ accountId: oauthGrants.accountId }),
  ])
  return saved.length > 0
}

/** Ends the claimed refresh, and tells those who wait how it failed. */
export async function saveRefreshFailure(
  { store }: Needs<'store'>,
  grant: StoredGrant,
  failure: RefreshFailure,
): Promise<void> {
  await store.commit((write) => [
    write
      .update(oauthGrants)
      .set({ refreshClaimedUntil: null, refreshFailure: failure })
      .where(sameTokens(grant)),
  ])
}
