import type { FilterAction, FilterCondition } from '../../db/schema/filters.ts'
import { fold } from '../search/fold.ts'
import type { FilterText } from './filter-text.ts'
import { compileRegex } from './regex.ts'

type Test = (text: FilterText) => boolean

/** What a rule is for, asks for and does. */
export interface FilterRule {
  readonly id: number
  readonly accountId: number | null
  readonly conditions: readonly FilterCondition[]
  readonly actions: readonly FilterAction[]
}

/** A rule ready to be matched. */
export interface CompiledFilter extends FilterRule {
  readonly tests: readonly Test[]
}

/** Compiles the conditions of a rule. Throws `invalid_request` for a regular expression that does not compile. */
export const compileFilter = (rule: FilterRule): CompiledFilter => ({
  ...rule,
  tests: rule.conditions.map(compileCondition),
})

/** `contains` ignores case, accents and compatibility forms, as search does; `regex` takes them as they are. */
function compileCondition({ field, op, value }: FilterCondition): Test {
  if (op === 'regex') {
    const matches = compileRegex(value)
    return (text) => text.written(field).some(matches)
  }
  const needle = fold(value)
  return (text) => text.folded(field).includes(needle)
}

/** Whether a rule is for the account of a message, and all its conditions hold. */
export const matchesFilter = ({ accountId, tests }: CompiledFilter, text: FilterText): boolean =>
  (accountId === null || accountId === text.accountId) && tests.every((test) => test(text))
