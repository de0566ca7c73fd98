import { asc, eq } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { filters } from '../../db/schema/filters.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { compileFilter, type CompiledFilter } from './compile.ts'

interface Compiled {
  readonly revision: number
  readonly filter: CompiledFilter
}

const compiledPerStore = new WeakMap<Reader, ReadonlyMap<number, Compiled>>()

/** The rules that are enabled, in the order in which they are evaluated; each revision is compiled once. */
export async function listCompiledFilters({
  store,
}: Needs<'store'>): Promise<readonly CompiledFilter[]> {
  const rows = await store.read
    .select({
      id: filters.id,
      accountId: filters.accountId,
      conditions: filters.conditions,
      actions: filters.actions,
      revision: filters.revision,
    })
    .from(filters)
    .where(eq(filters.enabled, true))
    .orderBy(asc(filters.position))
  const known = compiledPerStore.get(store.read)
  const compiled = rows.map(({ revision, ...rule }) => {
    const before = known?.get(rule.id)
    return before?.revision === revision ? before : { revision, filter: compileFilter(rule) }
  })
  compiledPerStore.set(store.read, new Map(compiled.map((one) => [one.filter.id, one])))
  return compiled.map(({ filter }) => filter)
}
