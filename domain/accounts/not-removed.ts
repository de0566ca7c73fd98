import { and, eq, isNull } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** Whether an account is there for everybody; one that is being removed is there for its removal alone. */
export const isNotRemoved = isNull(accounts.removingSince)

/** Whether an account is gone, or going. */
export async function isAccountRemoved({ store }: Needs<'store'>, id: number): Promise<boolean> {
  const rows = await store.read
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, id), isNotRemoved))
  return rows.length === 0
}
