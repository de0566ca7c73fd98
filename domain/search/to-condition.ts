import { type Condition, every } from './condition.ts'
import type { SearchExpression } from './expression.ts'
import type { SearchNames } from './resolve-names.ts'
import { textMatch, traitMatch } from './text-match.ts'
import { sizeTraits } from './traits.ts'

const NEVER: Condition = { kind: 'or', of: [] }

/** The expression in terms of the store, with what its names stand for there. */
export function toCondition(expression: SearchExpression, names: SearchNames): Condition {
  switch (expression.kind) {
    case 'and':
      return every(expression.of.map((part) => toCondition(part, names)))
    case 'or':
      return { kind: 'or', of: expression.of.map((part) => toCondition(part, names)) }
    case 'not':
      return { kind: 'not', of: toCondition(expression.of, names) }
    case 'text': {
      const match = textMatch(expression)
      return match === undefined ? NEVER : { kind: 'match', match }
    }
    case 'trait':
      return expression.trait === 'attachment' || expression.trait === 'link'
        ? { kind: 'match', match: traitMatch(expression.trait) }
        : { kind: 'flag', flag: expression.trait }
    case 'account':
      return among('accountId', names.accountIds(expression.account))
    case 'in':
      return among('folderId', names.folderIds(expression.folder))
    case 'thread':
      return among('threadId', names.threadIds(expression.threadId))
    case 'label':
      return { kind: 'labels', values: names.labelLists(expression.label) }
    case 'size':
      return every([{ kind: 'match', match: aboutThatSize(expression) }, expression])
    case 'message_id':
    case 'date':
    default:
      return expression
  }
}

const aboutThatSize = ({ than, bytes }: Extract<SearchExpression, { kind: 'size' }>): string =>
  traitMatch(...(than === 'larger' ? sizeTraits(bytes, Infinity) : sizeTraits(0, bytes)))

const among = (
  column: Extract<Condition, { kind: 'among' }>['column'],
  values: readonly number[],
): Condition => ({ kind: 'among', column, values })
