import { invalidRequest } from '../errors.ts'

const RANDOM_BYTES = 32
const CHARACTERS_MIN = 16
const CHARACTERS_MAX = 1_024

/** The secret as it was given, or a new one where it is absent or empty. Throws `invalid_request`. */
export function secretOf(given: string | undefined): string {
  if (given === undefined || given === '') return generated()
  if (given.length < CHARACTERS_MIN || given.length > CHARACTERS_MAX) {
    throw invalidRequest(`secret: must have ${CHARACTERS_MIN} to ${CHARACTERS_MAX} characters.`)
  }
  return given
}

function generated(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
  const base64 = btoa(String.fromCharCode(...bytes))
  return `whsec_${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}
