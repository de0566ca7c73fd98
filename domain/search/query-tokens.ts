/** A piece of a query as it is written. `raw` is what a warning shows. */
export type QueryToken =
  | { readonly kind: 'or' | 'and' | 'close'; readonly raw: string }
  /** An opening bracket, of a value where an operator stands before it. */
  | {
      readonly kind: 'open'
      readonly raw: string
      readonly isNegated: boolean
      readonly operator?: string
    }
  | TermToken
  /** A quotation mark without a partner: what follows it is read as if it were not there. */
  | { readonly kind: 'stray_quote'; readonly raw: string }

/** A word or a phrase, with an operator before it or not. Its text has no quotation mark in it. */
export interface TermToken {
  readonly kind: 'term'
  readonly raw: string
  readonly isNegated: boolean
  /** In any case, without its colon. */
  readonly operator?: string
  readonly text: string
  readonly isQuoted: boolean
  /** A `*` stands at its end, which is not part of the text. */
  readonly isPrefix: boolean
}

/** As people's keyboards make them, too. */
const QUOTES = '"\u201c\u201d\u201e\u201f\uff02'
/** White space, control characters, and marks of direction, which come along with pasted text. */
const BLANK = String.raw`\s\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`
const BLANKS = new RegExp(`[${BLANK}]+`, 'uy')
/** A minus negates only what follows it at once; more than one is a line. */
const MINUS = new RegExp(`-(?![-${BLANK})]|$)`, 'uy')
/** Not the beginning of an address of the web. */
const OPERATOR = /([a-z_]+):(?!\/\/)/iuy
const QUOTED = new RegExp(`[${QUOTES}]([^${QUOTES}]*)[${QUOTES}](\\*?)`, 'uy')
const WORD = new RegExp(`[^${BLANK}()${QUOTES}]+`, 'uy')

/** Cuts a query into its pieces. Every text has some; nothing is an error. */
export function queryTokens(query: string): readonly QueryToken[] {
  const tokens: QueryToken[] = []
  const reader = readerOf(query)
  for (;;) {
    reader.take(BLANKS)
    if (reader.isAtEnd()) return tokens
    tokens.push(nextToken(reader))
  }
}

interface TextReader {
  take(pattern: RegExp): RegExpExecArray | null
  takeCharacter(character: string): boolean
  isAtEnd(): boolean
  since(start: number): string
  position(): number
}

function readerOf(text: string): TextReader {
  let at = 0
  return {
    take(pattern) {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (match) at = pattern.lastIndex
      return match
    },
    takeCharacter(character) {
      if (text[at] !== character) return false
      at += 1
      return true
    },
    isAtEnd: () => at >= text.length,
    since: (start) => text.slice(start, at),
    position: () => at,
  }
}

function nextToken(reader: TextReader): QueryToken {
  const start = reader.position()
  if (reader.takeCharacter(')')) return { kind: 'close', raw: ')' }
  const isNegated = reader.take(MINUS) !== null
  const operator = reader.take(OPERATOR)?.[1]
  const named = operator === undefined ? {} : { operator }
  if (reader.takeCharacter('('))
    return { kind: 'open', raw: reader.since(start), isNegated, ...named }
  const quoted = reader.take(QUOTED)
  if (quoted) {
    const [, text = '', star] = quoted
    const shape = { isQuoted: true, isPrefix: star === '*' }
    return { kind: 'term', raw: reader.since(start), isNegated, ...named, text, ...shape }
  }
  const word = reader.take(WORD)?.[0]
  const raw = reader.since(start)
  if (raw === '') {
    reader.take(/./uy)
    return { kind: 'stray_quote', raw: reader.since(start) }
  }
  if (raw === 'OR' || raw === 'AND') return { kind: raw === 'OR' ? 'or' : 'and', raw }
  return { kind: 'term', raw, isNegated, ...named, ...starred(word ?? '') }
}

function starred(word: string) {
  const text = word.replace(/\*+$/, '')
  return { text, isQuoted: false, isPrefix: text !== word }
}
