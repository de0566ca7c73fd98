import { eq, sql } from 'drizzle-orm'
import { accounts } from '../../../db/schema/accounts.ts'
import { oauthGrants } from '../../../db/schema/oauth-grants.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { grantColumns, NO_PASSWORD } from './grant-columns.ts'
import type { NewGrant } from './granted.ts'

/**
 * Puts a grant in the place of the one, or the password, that logged in so far, and wakes the sync. Only for a grant
 * whose token has logged in to the account's mailbox.
 */
export async function replaceGrant(
  ctx: Needs<'store' | 'clock' | 'secretBox' | 'wake'>,
  accountId: number,
  grant: NewGrant,
): Promise<void> {
  const columns = await grantColumns(ctx, grant)
  await ctx.store.commit((write) => [
    write
      .insert(oauthGrants)
      .values({ ...columns, accountId })
      .onConflictDoUpdate({
        target: oauthGrants.accountId,
        // A refresh of the old grant that still runs must not write over it.
        set: { ...columns, revision: sql`${oauthGrants.revision} + 1` },
      }),
    write
      .update(accounts)
      .set({
        sealedPassword: NO_PASSWORD,
        sealedSmtpPassword: null,
        settingsRevision: sql`${accounts.settingsRevision} + 1`,
        state: 'syncing',
        error: null,
      })
      .where(eq(accounts.id, accountId)),
  ])
  ctx.wake.now('accounts')
}
