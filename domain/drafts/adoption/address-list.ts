import type { Address } from '../../../db/schema/contents.ts'

/** Characters of a display name that needs no quotes (RFC 5322 section 3.2.3), and any letter beyond ASCII. */
const PLAIN_NAME = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~ -]+$/u

/** Addresses as somebody would type them: a list that is read as these again. */
export const addressList = (addresses: readonly Address[]): string =>
  addresses.map(typed).join(', ')

function typed({ name, address }: Address): string {
  if (name === undefined) return address
  const quoted = PLAIN_NAME.test(name) ? name : `"${name.replaceAll(/[\\"]/g, String.raw`\$&`)}"`
  return `${quoted} <${address}>`
}
