import { invalidRequest } from '../errors.ts'

const LABEL_CHARS_MAX = 200
/** What a line break or another control character in it could do: end an IMAP command and begin another. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** Names that servers and clients use among themselves, which are never labels. */
const RESERVED = /^[\\$]|^(?:non)?junk$/i

/** The checked name of a label, without white space around it; throws `invalid_request`. */
export function labelName(input: string): string {
  const fault = faultOf(input)
  if (fault !== undefined) throw invalidRequest(fault)
  return input.trim()
}

/** Whether a label can have this very name. */
export const isLabelName = (name: string): boolean =>
  faultOf(name) === undefined && name.trim() === name

function faultOf(input: string): string | undefined {
  const name = input.trim()
  if (name === '') return 'A label cannot be empty.'
  if (CONTROL.test(input)) return 'A label cannot hold control characters.'
  if (name.length > LABEL_CHARS_MAX) return `A label has at most ${LABEL_CHARS_MAX} characters.`
  if (RESERVED.test(name))
    return 'Junk, NonJunk and names that begin with $ or \\ cannot be labels.'
  return undefined
}
