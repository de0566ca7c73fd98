import { atom, type Attribute } from './internals.ts'

/** An atom of RFC 9051 section 9, with the backslash of a system flag or without. */
const FLAG = /^\\?[!#$&'+,\-./0-9:;<=>?@A-Z[^_`a-z|}~]+$/

/** A flag or keyword as a command takes it; throws where it is none. */
export function flagName(flag: string): Attribute {
  if (!FLAG.test(flag)) throw new Error('A flag that is no atom cannot be stored.')
  return atom(flag)
}
