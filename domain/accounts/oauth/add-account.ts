import { eq, sql } from 'drizzle-orm'
import { accounts } from '../../../db/schema/accounts.ts'
import { oauthGrants } from '../../../db/schema/oauth-grants.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { accountColumns, checkedAccount, type NewAccount } from '../add.ts'
import { requireFreeName } from '../free-name.ts'
import { getAccountByName } from '../get-by-name.ts'
import { nameKey } from '../name-key.ts'
import { grantColumns, NO_PASSWORD } from './grant-columns.ts'
import type { NewGrant } from './granted.ts'

/** Adds a mail account that logs in by a grant, and wakes the sync. Throws as `addAccount` does. */
export async function addAccountByGrant(
  ctx: Needs<'store' | 'clock' | 'secretBox' | 'wake'>,
  input: NewAccount,
  grant: NewGrant,
): Promise<{ readonly id: number; readonly name: string }> {
  const account = checkedAccount(input)
  const { name } = account
  const columns = await grantColumns(ctx, grant)
  await requireFreeName(ctx, name)
  const added = sql<number>`(select ${accounts.id} from ${accounts} where ${eq(accounts.nameKey, nameKey(name))})`
  try {
    await ctx.store.commit((write) => [
      // No ON CONFLICT: were the name taken just now, the grant must not go to that account.
      write
        .insert(accounts)
        .values({ ...accountColumns(ctx, account), sealedPassword: NO_PASSWORD }),
      write.insert(oauthGrants).values({ ...columns, accountId: added }),
    ])
  } catch (error) {
    await requireFreeName(ctx, name)
    throw error
  }
  ctx.wake.now('accounts')
  const { id } = await getAccountByName(ctx, name)
  return { id, name }
}
