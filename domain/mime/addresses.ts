import { addressParser } from 'postal-mime'
import type { Mailbox } from 'postal-mime'

import type { Address } from '../../db/schema/contents.ts'
import { flattenComments } from './address-comments.ts'
import { decodeWords } from './encoded-words.ts'

/** Addresses kept of one field. Stops a header of a megabyte of "a@b," from becoming 200,000 rows of JSON. */
const ADDRESSES_MAX = 5000
/** Characters read of one value: 5,000 addresses with names. Stops a megabyte of nested groups from taking seconds. */
const VALUE_CHARS_MAX = 256 * 1024
/** The longest address kept: 64 octets, "@" and 255 octets (RFC 5321 section 4.5.3.1), and room for bad ones. */
const ADDRESS_CHARS_MAX = 1000
const WRITTEN_CHARS_MAX = 4000
/** Commas, colons and semicolons read of one field: three for each address. */
const SEPARATORS_MAX = 3 * ADDRESSES_MAX
/** Groups do not nest (RFC 5322 section 3.4); every level that is read costs a reading of all that is in it. */
const GROUP_DEPTH_MAX = 5
/** Separators, and what stands quoted or in angle brackets, where nothing separates. */
const SEPARATOR = /"(?:[^"\\]|\\(?:.|$))*(?:"|$)|<[^>]*(?:>|$)|[,:;]/gs

/**
 * The mailboxes of the values of an address field (RFC 5322 section 3.4), groups flattened, encoded words
 * decoded. An unquoted comma in a display name does not lose the address behind it.
 */
export function parseAddresses(values: readonly string[]): readonly Address[] {
  const addresses: Address[] = []
  let separatorsLeft = SEPARATORS_MAX
  for (const value of values) {
    if (addresses.length >= ADDRESSES_MAX || separatorsLeft <= 0) break
    const readable = readablePart(value.slice(0, VALUE_CHARS_MAX), separatorsLeft)
    addresses.push(...mailboxesOf(readable.text))
    separatorsLeft -= readable.separators + 1
  }
  return addresses.slice(0, ADDRESSES_MAX)
}

/** What is read of a value: up to `separatorsMax`, and to where groups stand in groups without end. */
function readablePart(value: string, separatorsMax: number) {
  let separators = 0
  let depth = 0
  for (const { 0: separator, index } of value.matchAll(SEPARATOR)) {
    if (separator.length > 1) continue
    separators++
    if (separator === ':') depth++
    else if (separator === ';') depth = 0
    if (separators > separatorsMax || depth > GROUP_DEPTH_MAX) {
      return { text: value.slice(0, index), separators }
    }
  }
  return { text: value, separators }
}

function mailboxesOf(written: string): readonly Address[] {
  const value = flattenComments(written)
  const mailboxes = joinSplitNames(addressParser(value, { flatten: true }).filter(isMailbox))
  if (mailboxes.length > 0) return mailboxes
  const address = lastAngleAddress(value)
  return address ? [address] : []
}

const isMailbox = (address: { address?: string | undefined }): address is Mailbox =>
  address.address !== undefined

/** `Doe, Jane <jane@example.com>` without quotes is read as two mailboxes, the first without an address. */
function joinSplitNames(mailboxes: readonly Mailbox[]): readonly Address[] {
  const joined: Address[] = []
  let pending: string[] = []
  for (const mailbox of mailboxes) {
    const unclosed = mailbox.address.includes('<') ? lastAngleAddress(mailbox.address) : undefined
    const name = unclosed?.name ?? decodeWords(mailbox.name)
    const address = unclosed?.address ?? cleanAddress(mailbox.address)
    if (!isAddress(address)) {
      pending.push(name)
      continue
    }
    joined.push(named(name === '' ? '' : [...pending, name].join(', '), address))
    pending = []
  }
  return joined
}

/** Without comments, stray brackets and an obsolete route (RFC 5322 section 4.4); of several words the last. */
function cleanAddress(written: string): string {
  const bare = written.slice(0, WRITTEN_CHARS_MAX).replaceAll(/\([^()]*\)|[<>]/g, ' ')
  const text = bare.replaceAll(/\s+/g, ' ')
  const packed = text.replace(/^ ?@[^:]*:/, '').replaceAll(/ ?@ ?/g, '@')
  return packed.trim().split(/\s+/).at(-1) ?? ''
}

const isAddress = (address: string): boolean =>
  address !== '' && address.length <= ADDRESS_CHARS_MAX && !/[\s<>]/.test(address)

function named(name: string, address: string): Address {
  const clean = name
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed()
  return clean === '' || clean === address ? { address } : { name: clean, address }
}

/** For what no address parser reads, such as a quote that never closes. */
function lastAngleAddress(value: string): Address | undefined {
  const open = value.lastIndexOf('<')
  const close = value.indexOf('>', open)
  if (open < 0 || close < 0) return undefined
  const address = value.slice(open + 1, close).trim()
  if (!isAddress(address) || !address.includes('@')) return undefined
  return named(decodeWords(value.slice(0, open).replaceAll('"', '')), address)
}
