import type { SearchExpression } from './expression.ts'

/** What all of these ask for together; undefined for none. */
export const allOf = (members: readonly SearchExpression[]) => combined('and', members)

/** What any of these asks for; undefined for none. */
export const anyOf = (members: readonly SearchExpression[]) => combined('or', members)

/** What an expression does not ask for. */
export const negated = (expression: SearchExpression): SearchExpression =>
  expression.kind === 'not' ? expression.of : { kind: 'not', of: expression }

function combined(
  kind: 'and' | 'or',
  members: readonly SearchExpression[],
): SearchExpression | undefined {
  const of = members.flatMap((member) => (member.kind === kind ? member.of : [member]))
  return of.length > 1 ? { kind, of } : of[0]
}
