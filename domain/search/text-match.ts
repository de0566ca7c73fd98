import type { SearchField } from './expression.ts'
import { indexText, isUnspaced } from './index-text.ts'
import { type IndexedTrait, traitWord } from './traits.ts'

const COLUMNS = {
  from: 'sender',
  to: 'recipients',
  cc: 'cc',
  bcc: 'bcc',
  subject: 'subject',
  body: 'body',
  filename: 'filenames',
} as const satisfies Readonly<Record<Exclude<SearchField, 'any'>, string>>

interface SearchedText {
  readonly field: SearchField
  readonly text: string
  readonly isPrefix: boolean
}

/**
 * The FTS5 expression of a text; undefined where it holds no word. Nothing of the text can be taken for syntax: index
 * text is letters, digits and blanks. A last character of a script without spaces is half of a pair in the index.
 */
export function textMatch({ field, text, isPrefix }: SearchedText): string | undefined {
  const words = indexText(text)
  if (words === '') return undefined
  const last = words.slice(words.lastIndexOf(' ') + 1)
  const isOpen = isPrefix || (isUnspaced(last) && Array.from(last).length === 1)
  const phrase = `"${words}"${isOpen ? ' *' : ''}`
  return field === 'any' ? phrase : `${COLUMNS[field]} : ${phrase}`
}

/** The FTS5 expression of having any of these traits. */
export const traitMatch = (...traits: readonly IndexedTrait[]): string =>
  `traits : (${traits.map((trait) => `"${traitWord(trait)}"`).join(' OR ')})`
