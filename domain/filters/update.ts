import { and, eq, gt, gte, ne, sql } from 'drizzle-orm'
import type { Writer } from '../../db/client.ts'
import { filters } from '../../db/schema/filters.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { checkedActions } from './checked-actions.ts'
import { checkedConditions } from './checked-conditions.ts'
import type { CreateFilter } from './create.ts'
import { filterName } from './filter-name.ts'
import type { FilterRecord } from './filter-record.ts'
import { getFilter } from './get.ts'
import { noteForwarding } from './note-forwarding.ts'
import { countPlus } from './positions.ts'
import { accountIdOf, filterScope } from './scope.ts'

/** What is absent stays as it is; an empty name is none, and an empty account every one. */
export type UpdateFilter = { readonly id: number } & {
  readonly [Field in keyof CreateFilter]?: CreateFilter[Field] | undefined
}

/** Changes a rule, for mail that arrives from now on. Throws `not_found`, and `invalid_request` as `createFilter` does. */
export async function updateFilter(
  ctx: Needs<'store' | 'logger'>,
  input: UpdateFilter,
): Promise<FilterRecord> {
  const before = await getFilter(ctx, input.id)
  const changes = await checkedChanges(ctx, before, input)
  const { position } = input
  await ctx.store.commit((write) => [
    ...(position === undefined ? [] : moves(write, input.id, position)),
    write.update(filters).set(changes).where(eq(filters.id, input.id)),
  ])
  const after = await getFilter(ctx, input.id)
  if (changesWhatIsForwarded(input)) noteForwarding(ctx, after)
  return after
}

async function checkedChanges(ctx: Needs<'store'>, before: FilterRecord, input: UpdateFilter) {
  return {
    ...(await checkedTargets(ctx, before, input)),
    ...(input.name !== undefined && { name: filterName(input.name) }),
    ...(input.enabled !== undefined && { enabled: input.enabled }),
    ...(input.conditions && { conditions: checkedConditions(input.conditions) }),
    revision: sql`${filters.revision} + 1`,
  }
}

/** Folders and addresses are checked against the accounts that the rule is for. */
async function checkedTargets(ctx: Needs<'store'>, before: FilterRecord, input: UpdateFilter) {
  if (input.actions === undefined && input.account === undefined) return {}
  const scope = await filterScope(ctx, input.account ?? before.account ?? '')
  return {
    accountId: accountIdOf(scope),
    actions: await checkedActions(ctx, scope, input.actions ?? before.actions),
  }
}

/** Takes the rule out of the order, and puts it in again; behind the last there is no place. */
function moves(write: Writer, id: number, position: number) {
  const place = sql`min(${position}, ${countPlus(0)})`
  const own = sql`(select ${filters.position} from ${filters} where ${filters.id} = ${id})`
  return [
    write
      .update(filters)
      .set({ position: sql`${filters.position} - 1` })
      .where(gt(filters.position, own)),
    write
      .update(filters)
      .set({ position: sql`${filters.position} + 1` })
      .where(and(ne(filters.id, id), gte(filters.position, place))),
    write.update(filters).set({ position: place }).where(eq(filters.id, id)),
  ]
}

const changesWhatIsForwarded = (input: UpdateFilter): boolean =>
  input.actions !== undefined ||
  input.account !== undefined ||
  input.conditions !== undefined ||
  input.enabled !== undefined
