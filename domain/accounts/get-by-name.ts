import { and, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'
import { nameKey } from './name-key.ts'
import { isNotRemoved } from './not-removed.ts'

/** The account of this name, in whatever case, else of this id. Throws `not_found`. */
export async function getAccountByName(
  { store }: Needs<'store'>,
  nameOrId: string,
): Promise<typeof accounts.$inferSelect> {
  const named = await store.read
    .select()
    .from(accounts)
    .where(and(eq(accounts.nameKey, nameKey(nameOrId)), isNotRemoved))
  if (named[0]) return named[0]
  const id = /^\d{1,15}$/.test(nameOrId) ? Number(nameOrId) : 0
  const [numbered] = await store.read
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), isNotRemoved))
  if (!numbered) throw notFound('account', nameOrId)
  return numbered
}
