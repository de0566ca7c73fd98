import type { FilterAction } from '../../db/schema/filters.ts'
import { matchesFilter, type CompiledFilter } from './compile.ts'
import { filterText, type FilteredMessage } from './filter-text.ts'

/** An action to be done, and the rule that wants it first, or for a place last. */
export type DueAction = FilterAction & { readonly filterId: number }

/**
 * What the rules, in their order, want done with a message that arrived: each thing once, in the order in which it is
 * wanted first. Where several move it, the last of them does, as if they ran one after the other; it comes last.
 */
export function actionsOf(
  filters: readonly CompiledFilter[],
  message: FilteredMessage,
): readonly DueAction[] {
  const text = filterText(message)
  const wanted = new Map<string, DueAction>()
  let place: DueAction | undefined
  for (const filter of filters) {
    if (!matchesFilter(filter, text)) continue
    for (const action of filter.actions) {
      const due = { ...action, filterId: filter.id }
      if (action.type === 'move' || action.type === 'delete') place = due
      else if (!wanted.has(keyOf(due))) wanted.set(keyOf(due), due)
    }
  }
  return place ? [...wanted.values(), place] : [...wanted.values()]
}

/** Labels and addresses are the same in any case; a notice names its rule, so every rule leaves its own. */
function keyOf(due: DueAction): string {
  if (due.type === 'notify') return `notify ${due.filterId}`
  return 'arg' in due ? `${due.type} ${String(due.arg).toLowerCase()}` : due.type
}
