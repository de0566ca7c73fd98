import { and, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { nameKey } from '../accounts/name-key.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { invalidRequest } from '../errors.ts'

/** The accounts that a rule is for; `isEvery` where it names none. */
export interface FilterScope {
  readonly accounts: readonly { readonly id: number; readonly email: string }[]
  readonly isEvery: boolean
}

/** The account of this name, or every one where it is empty. Throws `invalid_request`. */
export async function filterScope(
  { store }: Needs<'store'>,
  account: string,
): Promise<FilterScope> {
  const isEvery = account === ''
  const found = await store.read
    .select({ id: accounts.id, email: accounts.email })
    .from(accounts)
    .where(and(isNotRemoved, isEvery ? undefined : eq(accounts.nameKey, nameKey(account))))
  if (found.length === 0 && !isEvery) throw invalidRequest('There is no account of this name.')
  return { accounts: found, isEvery }
}

/** What the store keeps of it: the id of the only account, or null for every one. */
export const accountIdOf = ({ accounts, isEvery }: FilterScope): number | null =>
  isEvery ? null : (accounts[0]?.id ?? null)
