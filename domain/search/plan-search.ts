import { type Condition, conjuncts, every } from './condition.ts'
import { mergeMatches, widestMatch } from './merge-matches.ts'
import { rowidsOfSecond } from './search-rowid.ts'

/** How a condition is searched for. */
export interface SearchPlan {
  /** The whole of it. */
  readonly condition: Condition
  /** An expression of the index that all of its messages match; without one, all messages are looked at. */
  readonly match: string | undefined
  /** What has to be checked of those that match. */
  readonly rest: Condition | undefined
  /** Contents outside of these ids need not be looked at. */
  readonly low: number
  readonly high: number
}

type DateCondition = Extract<Condition, { kind: 'date' }>

/** `datesAreIds` says that the date of every message is that of its content's id. */
export function planSearch(
  wanted: Condition,
  { datesAreIds }: { readonly datesAreIds: boolean },
): SearchPlan {
  const condition = mergeMatches(wanted)
  const dates = datesAreIds ? conjuncts(condition).filter(isDate) : []
  const rest = conjuncts(condition).filter(
    (part) => part.kind !== 'match' && !(isDate(part) && dates.includes(part) && isOfSeconds(part)),
  )
  return {
    condition,
    match: widestMatch(condition),
    rest: rest.length === 0 ? undefined : every(rest),
    low: Math.max(0, ...dates.map(({ fromMs = 0 }) => rowidsOfSecond(fromMs).first)),
    high: Math.min(Number.MAX_SAFE_INTEGER, ...dates.map(highestOf)),
  }
}

/** Whether any date is asked for in a way that bounds what has to be looked at. */
export const isBoundByDate = (condition: Condition): boolean => conjuncts(condition).some(isDate)

const isDate = (condition: Condition): condition is DateCondition => condition.kind === 'date'

const isOfSeconds = ({ fromMs = 0, beforeMs = 0 }: DateCondition): boolean =>
  fromMs % 1_000 === 0 && beforeMs % 1_000 === 0

const highestOf = ({ beforeMs }: DateCondition): number =>
  beforeMs === undefined ? Number.MAX_SAFE_INTEGER : rowidsOfSecond(beforeMs - 1).last
