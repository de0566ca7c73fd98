import { invalidRequest } from '../errors.ts'

const NAME_CHARS_MAX = 200

/** The checked name of a rule, null for none; throws `invalid_request`. */
export function filterName(input: string): string | null {
  const name = input.trim()
  if (/\p{Cc}/u.test(name)) throw invalidRequest('A name cannot hold control characters.')
  if (name.length > NAME_CHARS_MAX) {
    throw invalidRequest(`The name of a rule has at most ${NAME_CHARS_MAX} characters.`)
  }
  return name === '' ? null : name
}
