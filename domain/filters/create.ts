import { count, gte, sql } from 'drizzle-orm'
import { filters, type FilterCondition } from '../../db/schema/filters.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import { bindKey, type Binding } from '../idempotency/bind.ts'
import { checkedActions, type ActionInput } from './checked-actions.ts'
import { checkedConditions } from './checked-conditions.ts'
import { filterName } from './filter-name.ts'
import type { FilterRecord } from './filter-record.ts'
import { getFilter } from './get.ts'
import { noteForwarding } from './note-forwarding.ts'
import { countPlus } from './positions.ts'
import { accountIdOf, filterScope } from './scope.ts'

const FILTERS_MAX = 500

export interface CreateFilter {
  readonly name?: string | undefined
  /** The name of its account; absent or empty for every account. */
  readonly account?: string | undefined
  /** From 1; those from there on move down. Absent for the last. */
  readonly position?: number | undefined
  readonly enabled?: boolean | undefined
  readonly conditions: readonly FilterCondition[]
  readonly actions: readonly ActionInput[]
  readonly binding?: Binding | undefined
}

/** Creates a rule, for mail that arrives from now on. Throws `invalid_request` for whatever it cannot be, and `KeyTaken`. */
export async function createFilter(
  ctx: Needs<'store' | 'clock' | 'logger'>,
  input: CreateFilter,
): Promise<FilterRecord> {
  const scope = await filterScope(ctx, input.account ?? '')
  const values = {
    name: filterName(input.name ?? ''),
    accountId: accountIdOf(scope),
    enabled: input.enabled ?? true,
    conditions: checkedConditions(input.conditions),
    actions: await checkedActions(ctx, scope, input.actions),
    createdAt: ctx.clock.now().getTime(),
  }
  await refuseTooMany(ctx)
  const { position } = input
  const last = countPlus(1)
  const id = await ctx.store.durableTransaction(async (tx) => {
    await tx
      .update(filters)
      .set({ position: sql`${filters.position} + 1` })
      .where(gte(filters.position, position ?? last))
    const [row] = await tx
      .insert(filters)
      .values({
        ...values,
        position: position === undefined ? last : sql`min(${position}, ${last})`,
      })
      .returning({ id: filters.id })
    if (!row) throw new Error('The new rule was not stored.')
    const { createdAt: nowMs } = values
    await bindKey(tx, input.binding, { kind: 'filter', entityId: row.id, nowMs })
    return row.id
  })
  const created = await getFilter(ctx, id)
  noteForwarding(ctx, created)
  return created
}

async function refuseTooMany({ store }: Needs<'store'>): Promise<void> {
  const [row] = await store.read.select({ total: count() }).from(filters)
  if ((row?.total ?? 0) >= FILTERS_MAX) {
    throw invalidRequest(`There are ${FILTERS_MAX} rules already, which is all there can be.`)
  }
}
