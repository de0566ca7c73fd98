import { z } from 'zod'
import { upstream } from '../../errors.ts'
import type { NewGrant } from './granted.ts'
import { jsonOf } from './token-answer.ts'

const claims = z.object({ email: z.string() })

/**
 * Throws `upstream` when the provider says that the grant is for another mailbox than that with one of these
 * addresses. It may say nothing: only a login proves a grant.
 */
export function refuseOtherMailbox({ tokens }: NewGrant, addresses: readonly string[]): void {
  const email = tokens.idToken === undefined ? undefined : emailInIdToken(tokens.idToken)
  if (email === undefined || addresses.some((address) => isSameMailbox(address, email))) return
  throw upstream(`The authorisation is for ${email}, not for ${addresses.join(' or ')}.`)
}

/**
 * The address that an ID token names. Only for one straight from the token endpoint: TLS vouches for it instead of
 * its signature (OpenID Connect Core section 3.1.3.7).
 */
function emailInIdToken(idToken: string): string | undefined {
  const [, payload = ''] = idToken.split('.')
  const parsed = claims.safeParse(jsonOf(bytesOf(payload)))
  return parsed.success ? parsed.data.email : undefined
}

/** Case aside, and at Gmail dots, tags and its other name too. */
const isSameMailbox = (a: string, b: string): boolean => mailboxKey(a) === mailboxKey(b)

function mailboxKey(address: string): string {
  const [, localPart = '', domain = ''] = /^(.*)@([^@]*)$/.exec(address.toLowerCase()) ?? []
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return address.toLowerCase()
  return `${localPart.replace(/\+.*$/, '').replaceAll('.', '')}@gmail.com`
}

function bytesOf(base64Url: string): Uint8Array {
  try {
    const text = atob(base64Url.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
