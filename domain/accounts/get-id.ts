import { and, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'
import { nameKey } from './name-key.ts'
import { isNotRemoved } from './not-removed.ts'

/** The id of the account with this name, without regard to case. Throws `not_found`. */
export async function getAccountId(ctx: Needs<'store'>, name: string): Promise<number> {
  const [account] = await ctx.store.read
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.nameKey, nameKey(name)), isNotRemoved))
  if (!account) throw notFound('account', name)
  return account.id
}
