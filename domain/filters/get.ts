import { and, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { filters } from '../../db/schema/filters.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { notFound } from '../errors.ts'
import { FILTER_COLUMNS, type FilterRecord } from './filter-record.ts'

/** The rule with this id. Throws `not_found`. */
export async function getFilter({ store }: Needs<'store'>, id: number): Promise<FilterRecord> {
  const [filter] = await store.read
    .select(FILTER_COLUMNS)
    .from(filters)
    .leftJoin(accounts, eq(accounts.id, filters.accountId))
    .where(and(eq(filters.id, id), isNotRemoved))
  if (!filter) throw notFound('filter rule', id)
  return filter
}
