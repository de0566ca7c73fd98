import type { Address } from '../../db/schema/contents.ts'
import { invalidRequest } from '../errors.ts'
import { fieldText } from './field-text.ts'
import { mailDomain } from './mail-domain.ts'
import { readAddressList, type WrittenMailbox } from './mailboxes.ts'

/** RFC 5321 section 4.5.3.1.1. */
const LOCAL_OCTETS_MAX = 64
/** A path in its angle brackets has 256 at most (RFC 5321 section 4.5.3.1.3). */
const ADDRESS_OCTETS_MAX = 254
/** Dots between atoms of ASCII or of any script (RFC 5322 section 3.2.3, RFC 6532 section 3.2). */
const DOT_ATOM =
  /^[\w!#$%&'*+/=?^`{|}~\u{a1}-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u{a1}-\u{10ffff}-]+)*$/u
/** White space, and characters that nobody sees. */
const UNSEEN = /[\p{Z}\p{C}]/u
/** A thousand addresses with long names. */
const LIST_CHARS_MAX = 128 * 1024

/**
 * The one address that a text is, with or without a display name (RFC 5322 section 3.4); its domain in ASCII. Throws
 * `invalid_request` that names the field: also for what the grammar allows and no server delivers to.
 */
export function parseAddress(field: string, text: string): Address {
  const input = fieldText(field, text)
  const [entry, ...others] = readAddressList(input) ?? []
  const [mailbox] = entry?.isGroup === false && others.length === 0 ? entry.mailboxes : []
  const address = mailbox && addressOf(mailbox)
  if (!address) throw invalidRequest(`${field}: must be one address such as ada@example.org.`)
  return address
}

/**
 * The addresses of a comma-separated list (RFC 5322 section 3.4), as texts that are one address each; groups are
 * flattened. Throws `invalid_request` that names the field.
 */
export function splitAddressList(field: string, list: string): readonly string[] {
  const text = list.trim().replace(/,$/, '')
  if (text === '') return []
  if (text.length > LIST_CHARS_MAX) {
    throw invalidRequest(`${field}: has at most ${LIST_CHARS_MAX} characters.`)
  }
  if (/\p{Cc}/u.test(text)) {
    throw invalidRequest(`${field}: must not hold line breaks or other control characters.`)
  }
  const parsed = readAddressList(text)
  if (!parsed) {
    throw invalidRequest(
      `${field}: must be addresses such as ada@example.org, with commas between.`,
    )
  }
  return parsed.flatMap(({ mailboxes }) => mailboxes.map(({ written }) => written))
}

function addressOf(mailbox: WrittenMailbox): Address | undefined {
  const local = localPart(mailbox)
  const domain = mailDomain(mailbox.domain)
  if (local === undefined || domain === undefined || !isQualified(domain)) return undefined
  const address = `${local}@${domain}`
  if (octetsOf(address) > ADDRESS_OCTETS_MAX) return undefined
  return mailbox.name === '' ? { address } : { name: mailbox.name, address }
}

/** A quoted one stays quoted where it has to, and is refused where the parser has changed what stands between. */
function localPart({ local, localWritten }: WrittenMailbox): string | undefined {
  if (octetsOf(local) > LOCAL_OCTETS_MAX) return undefined
  const quoted = `"${local.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  const isQuoted = localWritten === quoted
  if (UNSEEN.test(isQuoted ? local.replaceAll(' ', '') : local)) return undefined
  if (DOT_ATOM.test(local)) return local
  return isQuoted ? quoted : undefined
}

const octetsOf = (text: string): number => new TextEncoder().encode(text).length

/** A name of one label belongs to nobody outside (RFC 5321 section 2.3.5), but for this machine itself. */
const isQualified = (domain: string): boolean =>
  domain.includes('.') || domain.startsWith('[') || domain === 'localhost'
