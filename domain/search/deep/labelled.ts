import { isLabel } from '../../messages/flags.ts'
import { keywordOf } from '../../messages/keyword.ts'
import { isLabelName } from '../../messages/label-name.ts'
import { isAscii } from '../fold.ts'
import { ALL, type Possible, some } from './possible.ts'

/** What a keyword may be as it is (RFC 9051 section 9). */
const ATOM = /^[!#$&'+,\-./0-9:;<=>?@A-Z[^_`a-z|}~]+$/

interface Asked {
  readonly isNegated: boolean
  readonly hasGmailLabels: boolean
}

/** Every message with the label, or without it. */
export function labelled(label: string, { isNegated, hasGmailLabels }: Asked): Possible {
  // A keyword that no label of ours would get is its own label.
  const own = ATOM.test(label) ? [label] : []
  const keywords = [...new Set([...spellings(label).map(keywordOf), ...own])].filter(isLabel)
  const possible = some([
    ...keywords.map((keyword): Possible => ({ kind: 'keyword', keyword })),
    ...(hasGmailLabels && isLabelName(label) ? [{ kind: 'gmail_label', label } as const] : []),
  ])
  if (!isNegated) return possible
  // Keywords have no case, but what stands for other characters in them has: servers may take two labels for one.
  const isExact = isAscii(label) && ATOM.test(label) && !hasGmailLabels
  if (!isExact || possible === 'none') return ALL
  return { kind: 'not', of: possible }
}

/** Labels are the same in any case; as keywords those of other characters than ASCII are not. */
const spellings = (label: string): readonly string[] => {
  if (isAscii(label)) return [label]
  const lower = label.toLowerCase()
  const capitalised = Array.from(lower)
    .map((letter, index) => (index === 0 ? letter.toUpperCase() : letter))
    .join('')
  return [label, lower, capitalised, label.toUpperCase()]
}
