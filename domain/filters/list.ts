import { asc, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { filters } from '../../db/schema/filters.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { FILTER_COLUMNS, type FilterRecord } from './filter-record.ts'

/** All rules, in the order in which they are evaluated. */
export async function listFilters({ store }: Needs<'store'>): Promise<readonly FilterRecord[]> {
  return store.read
    .select(FILTER_COLUMNS)
    .from(filters)
    .leftJoin(accounts, eq(accounts.id, filters.accountId))
    .where(isNotRemoved)
    .orderBy(asc(filters.position))
}
