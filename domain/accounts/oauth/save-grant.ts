import { eq, sql } from 'drizzle-orm'
import { accounts } from '../../../db/schema/accounts.ts'
import { oauthGrants } from '../../../db/schema/oauth-grants.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { accountColumns, checkedAccount, nameIsTaken, type NewAccount } from '../add.ts'
import { nameKey } from '../name-key.ts'
import type { NewGrant } from './granted.ts'
import { tokenColumns } from './stored-grant.ts'

/** There is none: a grant stands for it. No seal has this form, so nobody takes it for a password. */
const NO_PASSWORD = ''

type Ctx = Needs<'store' | 'clock' | 'secretBox' | 'wake'>

/** Adds a mail account that logs in by a grant, and wakes the sync. Throws as `addAccount` does. */
export async function addAccountByGrant(
  ctx: Ctx,
  input: NewAccount,
  grant: NewGrant,
): Promise<{ readonly id: number; readonly name: string }> {
  const account = checkedAccount(input)
  const { name } = account
  const columns = await grantColumns(ctx, grant)
  const key = nameKey(name)
  const [taken] = await ctx.store.read
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.nameKey, key))
  if (taken) throw nameIsTaken(name)
  const accountId = sql<number>`(select ${accounts.id} from ${accounts} where ${accounts.nameKey} = ${key})`
  const [[added]] = await ctx.store.commit((write) => [
    // No ON CONFLICT: were the name taken just now, the grant must not go to that account.
    write
      .insert(accounts)
      .values({ ...accountColumns(ctx, account), sealedPassword: NO_PASSWORD })
      .returning({ id: accounts.id }),
    write.insert(oauthGrants).values({ ...columns, accountId }),
  ])
  if (!added) throw nameIsTaken(name)
  ctx.wake.now('accounts')
  return { id: added.id, name }
}

/**
 * Puts a new grant in the place of what logged in so far, and wakes the sync. Only for a grant that was proven to be
 * for the account's mailbox (`refuseOtherMailbox`).
 */
export async function replaceGrant(ctx: Ctx, accountId: number, grant: NewGrant): Promise<void> {
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

async function grantColumns(ctx: Ctx, { client, tokens }: NewGrant) {
  const { provider, clientId, clientSecret, tokenUrl } = client
  return {
    provider,
    clientId,
    sealedClientSecret: clientSecret === undefined ? null : await ctx.secretBox.seal(clientSecret),
    tokenUrl,
    ...(await tokenColumns(ctx, tokens)),
    sealedRefreshToken: await ctx.secretBox.seal(tokens.refreshToken),
  }
}
