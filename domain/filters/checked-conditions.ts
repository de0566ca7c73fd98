import type { FilterCondition } from '../../db/schema/filters.ts'
import { invalidRequest } from '../errors.ts'
import { compileRegex } from './regex.ts'

const CONDITIONS_MAX = 20
const VALUE_CHARS_MAX = 1000

/** The checked conditions of a rule; throws `invalid_request`, also for a regular expression that does not compile. */
export function checkedConditions(
  conditions: readonly FilterCondition[],
): readonly FilterCondition[] {
  if (conditions.length === 0) throw invalidRequest('A rule needs at least one condition.')
  if (conditions.length > CONDITIONS_MAX) {
    throw invalidRequest(`A rule has at most ${CONDITIONS_MAX} conditions.`)
  }
  for (const { op, value } of conditions) {
    if (value === '') throw invalidRequest('The value of a condition cannot be empty.')
    if (value.length > VALUE_CHARS_MAX) {
      throw invalidRequest(`The value of a condition has at most ${VALUE_CHARS_MAX} characters.`)
    }
    if (op === 'regex') compileRegex(value)
  }
  return conditions
}
