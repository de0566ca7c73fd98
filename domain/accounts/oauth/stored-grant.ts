import { and, eq, sql } from 'drizzle-orm'
import { accounts } from '../../../db/schema/accounts.ts'
import { oauthGrants, type RefreshFailure } from '../../../db/schema/oauth-grants.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { prepared } from '../../prepared.ts'
import { databaseNowMs, isOver } from '../../database-time.ts'
import type { TokenColumns } from './grant-columns.ts'

/** Longer than the token endpoint may take: whoever claims a refresh has ended by then, one way or the other. */
const CLAIM_MS = 20_000
const LOOK_EVERY_MS = 50

/** A grant as the store holds it, and the account it is for. */
export type StoredGrant = typeof oauthGrants.$inferSelect & {
  readonly accountName: string
  /** Whether somebody is getting a new access token just now. */
  readonly isRefreshing: boolean
}

/** Ends by itself when whoever has it died. */
const isClaimOver = isOver(oauthGrants.refreshClaimedUntil, CLAIM_MS)

const byAccount = prepared((read) =>
  read
    .select({
      grant: oauthGrants,
      accountName: accounts.name,
      isRefreshing: sql<number>`not ${isClaimOver}`,
    })
    .from(oauthGrants)
    .innerJoin(accounts, eq(accounts.id, oauthGrants.accountId))
    .where(eq(oauthGrants.accountId, sql.placeholder('accountId')))
    .prepare(),
)

export async function findGrant(
  { store }: Needs<'store'>,
  accountId: number,
): Promise<StoredGrant | undefined> {
  const [row] = await byAccount(store.read).all({ accountId })
  return row && { ...row.grant, accountName: row.accountName, isRefreshing: row.isRefreshing === 1 }
}

const sameTokens = ({ accountId, revision }: StoredGrant) =>
  and(eq(oauthGrants.accountId, accountId), eq(oauthGrants.revision, revision))

/**
 * The right to get the next access token, for one only: the grant as claimed; undefined where another has the right
 * or has got a token already. How an earlier attempt failed is forgotten, so that nobody takes it for this one's end.
 */
export async function claimRefresh(
  { store }: Needs<'store'>,
  grant: StoredGrant,
): Promise<StoredGrant | undefined> {
  const [[claimed]] = await store.commit((write) => [
    write
      .update(oauthGrants)
      .set({ refreshClaimedUntil: sql`${databaseNowMs} + ${CLAIM_MS}`, refreshFailure: null })
      .where(and(sameTokens(grant), isClaimOver))
      .returning({ refreshClaimedUntil: oauthGrants.refreshClaimedUntil }),
  ])
  return claimed && { ...grant, ...claimed, refreshFailure: null, isRefreshing: true }
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

/** Puts new tokens in the place of those of the grant; false when others have taken it meanwhile. */
export async function writeTokens(
  { store }: Needs<'store'>,
  grant: StoredGrant,
  columns: TokenColumns,
): Promise<boolean> {
  const [written] = await store.commit((write) => [
    write
      .update(oauthGrants)
      .set({ ...columns, revision: sql`${oauthGrants.revision} + 1` })
      .where(sameTokens(grant))
      .returning({ accountId: oauthGrants.accountId }),
  ])
  return written.length > 0
}

/**
 * Ends the claimed refresh, and tells those who wait how it failed; false when the claim, or the grant, is another
 * meanwhile, of which the failure says nothing.
 */
export async function saveRefreshFailure(
  { store }: Needs<'store'>,
  claimed: StoredGrant,
  failure: RefreshFailure,
): Promise<boolean> {
  const sameClaim = sql`${oauthGrants.refreshClaimedUntil} = ${claimed.refreshClaimedUntil}`
  const [saved] = await store.commit((write) => [
    write
      .update(oauthGrants)
      .set({ refreshClaimedUntil: null, refreshFailure: failure })
      .where(and(sameTokens(claimed), sameClaim))
      .returning({ accountId: oauthGrants.accountId }),
  ])
  return saved.length > 0
}
