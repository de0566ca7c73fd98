import { eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import { nameKey } from './name-key.ts'

/** Throws `invalid_request` where an account has this name already, in whatever case; `ownId` may have it. */
export async function requireFreeName(
  { store }: Needs<'store'>,
  name: string,
  ownId?: number,
): Promise<void> {
  const [owner] = await store.read
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.nameKey, nameKey(name)))
  if (owner && owner.id !== ownId) throw nameIsTaken(name)
}

export const nameIsTaken = (name: string) =>
  invalidRequest(`There is already an account named ${name.trim()}.`)
