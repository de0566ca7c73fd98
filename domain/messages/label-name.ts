import { invalidRequest } from '../errors.ts'

const LABEL_CHARS_MAX = 200
/** What a line break or another control character in it could do: end an IMAP command and begin another. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** Names that servers and clients use among themselves, which are never labels. */
const RESERVED = /^[\\$]|^(?:non)?junk$/i

/** The checked name of a label, without white space around it; throws `invalid_request`. */
export function labelName(input: string): string {
  const name = input.trim()
  if (name === '') throw invalidRequest('A label cannot be empty.')
  if (CONTROL.test(input)) throw invalidRequest('A label cannot hold control characters.')
  if (name.length > LABEL_CHARS_MAX) {
    throw invalidRequest(`A label has at most ${LABEL_CHARS_MAX} characters.`)
  }
  if (RESERVED.test(name)) {
    throw invalidRequest('Junk, NonJunk and names that begin with $ or \\ cannot be labels.')
  }
  return name
}
