import type { SearchCriterion } from '../../../runtime/ports/search-criterion.ts'

/** What a server can be asked for, or `none` where there can be nothing. */
export type Possible = SearchCriterion | 'none'

export const ALL: SearchCriterion = { kind: 'all' }

/** What is true of a message of which all of these are. */
export function every(members: readonly Possible[]): Possible {
  if (members.includes('none')) return 'none'
  const of = members.flatMap((member) => spread(member, 'and')).filter(({ kind }) => kind !== 'all')
  return of.length > 1 ? { kind: 'and', of } : (of[0] ?? ALL)
}

/** What is true of a message of which any of these is. */
export function some(members: readonly Possible[]): Possible {
  const of = members.flatMap((member) => spread(member, 'or'))
  if (of.some(({ kind }) => kind === 'all')) return ALL
  return of.length > 1 ? { kind: 'or', of } : (of[0] ?? 'none')
}

function spread(member: Possible, kind: 'and' | 'or'): readonly SearchCriterion[] {
  if (member === 'none') return []
  return member.kind === kind ? member.of : [member]
}
