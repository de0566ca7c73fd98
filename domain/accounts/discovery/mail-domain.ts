import { accountEmail } from '../account-settings.ts'
import { invalidRequest } from '../../errors.ts'

/** A mail address in its parts; the domain as the name service knows it: ASCII, lower case, no dot at the end. */
export interface MailAddress {
  readonly email: string
  readonly localPart: string
  readonly domain: string
}

const DOMAIN = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/** Takes an address apart; throws `invalid_request` for one whose domain cannot be looked up. */
export function mailAddress(input: string): MailAddress {
  const email = accountEmail(input)
  const at = email.lastIndexOf('@')
  const written = email.slice(at + 1)
  const domain = /[/:?#\\%[\]]/.test(written) ? '' : asciiDomain(written)
  if (!DOMAIN.test(domain) || /(^|\.)\d+$/.test(domain))
    throw invalidRequest(`${written} is not a domain that can be looked up.`)
  return { email, localPart: email.slice(0, at), domain }
}

/** The URL parser holds the rules for international names (UTS 46). */
const asciiDomain = (domain: string) =>
  (URL.parse(`http://${domain}/`)?.hostname ?? '').replace(/\.$/, '')

/** Whether `host` is `domain` or below it, whatever their case and dots at the end. */
export function isWithin(host: string, domain: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return name === domain || name.endsWith(`.${domain}`)
}
