import { domainToASCII, domainToUnicode } from 'node:url'

/** Printable, and spaces, which a quoted local part may have. */
const ASCII = /^[\x20-\x7e]*$/
/** A quoted string, or nothing that means something in an address (RFC 5322 section 3.4.1, RFC 6532). */
const LOCAL_PART = /^(?:"(?:[^"\\\p{Cc}<>]|\\[^\p{Cc}<>])*"|[^\s\p{Cc}"(),:;<>@[\]\\]+)$/u
const DOMAIN = /^(?:\[[^\s\p{Cc}<>[\]\\]+\]|[^\s\p{Cc}"(),:;<>@[\]\\]+)$/u

/**
 * An address as servers and header fields take it: the domain in ASCII, unless the local part is not and needs RFC 6531
 * anyway. Throws an `Error` for what is no address.
 */
export function smtpAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = address.slice(at + 1)
  if (at < 1 || !LOCAL_PART.test(local) || !DOMAIN.test(domain)) throw notAnAddress()
  if (!ASCII.test(local)) return `${local}@${domainToUnicode(domain) || domain}`
  if (ASCII.test(domain)) return address
  const ascii = domainToASCII(domain)
  if (ascii === '') throw notAnAddress()
  return `${local}@${ascii}`
}

/** Whether only servers with SMTPUTF8 can take the address. */
export const needsSmtpUtf8 = (address: string): boolean => !ASCII.test(smtpAddress(address))

/** Does not say which: who is written to belongs into no log. */
const notAnAddress = () => new Error('This is not an address that mail can be sent to.')
