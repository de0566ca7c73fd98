import { type Condition, conjuncts, every } from './condition.ts'
import { traitMatch } from './text-match.ts'

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined

const joined = (matches: readonly string[], operator: 'AND' | 'OR'): string =>
  matches.length === 1 ? matches.join('') : `(${matches.join(` ${operator} `)})`

const isMatch = (condition: Condition): condition is Extract<Condition, { kind: 'match' }> =>
  condition.kind === 'match'

/** The same condition with as much of it as can be in single expressions of the index. */
export function mergeMatches(condition: Condition): Condition {
  if (condition.kind === 'not') return excluding(mergeMatches(condition.of))
  if (condition.kind !== 'and' && condition.kind !== 'or') return condition
  const { kind } = condition
  const merged = condition.of.map(mergeMatches)
  const parts = kind === 'and' ? merged.flatMap(conjuncts) : merged
  const matches = parts.filter(isMatch).map(({ match }) => match)
  if (matches.length === 0) return { kind, of: parts }
  const match = joined(matches, kind === 'and' ? 'AND' : 'OR')
  const all: readonly Condition[] = [
    { kind: 'match', match },
    ...parts.filter((part) => !isMatch(part)),
  ]
  return kind === 'and' || all.length === 1 ? every(all) : { kind, of: all }
}

/** FTS5 knows NOT only after something that is asked for. */
const excluding = (condition: Condition): Condition =>
  isMatch(condition)
    ? { kind: 'match', match: `(${traitMatch('content')} NOT ${condition.match})` }
    : { kind: 'not', of: condition }

/**
 * An expression of the index that every message of the condition matches; undefined where there is none. Others may
 * match it too.
 */
export function widestMatch(condition: Condition): string | undefined {
  if (condition.kind === 'match') return condition.match
  if (condition.kind === 'and') {
    const matches = condition.of.map(widestMatch).filter(isThere)
    return matches.length === 0 ? undefined : joined(matches, 'AND')
  }
  if (condition.kind !== 'or' || condition.of.length === 0) return undefined
  const matches = condition.of.map(widestMatch)
  return matches.every(isThere) ? joined(matches, 'OR') : undefined
}
