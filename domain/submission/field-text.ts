import { invalidRequest } from '../errors.ts'

/** 998 octets would be a whole line (RFC 5322 section 2.1.1); text beyond it is no subject and no name. */
const FIELD_CHARS_MAX = 1_000

/**
 * The text, for a header field. Throws `invalid_request` that names the field for control characters, which could end
 * the field early, for halves of characters, and for what is too long.
 */
export function fieldText(field: string, text: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) {
    throw invalidRequest(`${field}: must not hold line breaks or other control characters.`)
  }
  if (!text.isWellFormed()) throw invalidRequest(`${field}: must be well-formed Unicode.`)
  if (text.length > FIELD_CHARS_MAX) {
    throw invalidRequest(`${field}: has at most ${FIELD_CHARS_MAX} characters.`)
  }
  return text
}
