import { accounts } from '../../db/schema/accounts.ts'
import { filters, type FilterAction, type FilterCondition } from '../../db/schema/filters.ts'

/** A rule for mail that arrives in an inbox. */
export interface FilterRecord {
  readonly id: number
  readonly name: string | null
  readonly accountId: number | null
  /** The name of its account; null for every account. */
  readonly account: string | null
  readonly position: number
  readonly enabled: boolean
  readonly conditions: readonly FilterCondition[]
  readonly actions: readonly FilterAction[]
}

/** Its columns, from filters left joined with accounts. */
export const FILTER_COLUMNS = {
  id: filters.id,
  name: filters.name,
  accountId: filters.accountId,
  account: accounts.name,
  position: filters.position,
  enabled: filters.enabled,
  conditions: filters.conditions,
  actions: filters.actions,
} as const
