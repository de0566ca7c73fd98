/** A piece of an address list: what stands between white space and comments. Positions are those of its text. */
export interface AddressToken {
  /** Or, where it is none of these, the character itself, as `value` says. */
  readonly kind: 'atom' | 'quoted' | 'literal' | 'special'
  /** Of a quoted one, what stands between the quotes. */
  readonly value: string
  readonly start: number
  readonly end: number
  /** Whether white space or a comment stands before it. */
  readonly isApart: boolean
}

/**
 * White space, then an atom with letters of any script (RFC 5322 section 3.2.3, RFC 6532 section 3.2), what stands
 * between quotes, an address literal or a special character.
 */
const TOKEN =
  / *(?:([\w!#$%&'*+/=?^`{|}~\u0080-\uffff-]+)|"([^"\\]*(?:\\.[^"\\]*)*)"|(\[[^[\]\\]*\])|([.@,:;<>]))/y
/** In a comment, up to where one may begin or end. */
const COMMENT_TEXT = /[^()\\]*(?:\\.[^()\\]*)*/y
const SPACES = / +/y
/** Nobody writes comments in comments in comments. */
const COMMENT_DEPTH_MAX = 20

/**
 * The tokens of an address list without control characters (RFC 5322 section 3.4), in time that grows with its length;
 * undefined where it has none.
 */
export function addressTokens(text: string): readonly AddressToken[] | undefined {
  const tokens: AddressToken[] = []
  let from = 0
  let at = 0
  for (;;) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match) {
      const end = TOKEN.lastIndex
      const token = tokenOf(match)
      const start = end - token.length
      tokens.push({ kind: token.kind, value: token.value, start, end, isApart: start > from })
      from = end
      at = end
    } else {
      const end = endOfSpace(text, at)
      if (end === undefined) return undefined
      if (end === text.length) return tokens.length > 0 ? tokens : undefined
      if (end === at) return undefined
      at = end
    }
  }
}

/** `length` is as it is written. */
function tokenOf([, atom, quoted, literal, special = '']: RegExpExecArray) {
  if (atom !== undefined) return { kind: 'atom', value: atom, length: atom.length } as const
  if (quoted !== undefined) {
    const value = quoted.replaceAll(/\\(.)/g, '$1')
    return { kind: 'quoted', value, length: quoted.length + 2 } as const
  }
  if (literal === undefined) return { kind: 'special', value: special, length: 1 } as const
  return { kind: 'literal', value: literal.replaceAll(' ', ''), length: literal.length } as const
}

/** Where white space and comments end that begin here; undefined for a comment without an end. */
function endOfSpace(text: string, from: number): number | undefined {
  let at = from
  let depth = 0
  for (;;) {
    const skipped = depth === 0 ? SPACES : COMMENT_TEXT
    skipped.lastIndex = at
    if (skipped.test(text)) at = skipped.lastIndex
    const next = text[at]
    if (next === '(' && depth < COMMENT_DEPTH_MAX) depth++
    else if (next === ')' && depth > 0) depth--
    else return depth === 0 ? at : undefined
    at++
  }
}
