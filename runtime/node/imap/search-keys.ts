import type { ImapFlow } from 'imapflow'
import { formatDate } from 'imapflow/lib/tools.js'
import type { SearchCriterion } from '../../ports/search-criterion.ts'
import { flagName } from './flag-name.ts'
import { atom, type Attribute } from './internals.ts'
import { mailboxName } from './mailbox-name.ts'

/** What no string and no literal can hold (RFC 9051 section 4.3), and what would end a command. */
const UNSPEAKABLE = /[\0\r\n]/
const NOT_ASCII = /[^\x20-\x7e]/
/** Sizes are numbers of 32 bits for servers of before RFC 9051. */
const BYTES_MAX = 2 ** 32 - 1
const ALL = [atom('ALL')]

/**
 * The arguments of a SEARCH for this (RFC 9051 section 6.4.4), with the character set where they hold text that is no
 * ASCII. Throws where a text or keyword cannot be sent.
 */
export function searchKeys(client: ImapFlow, criterion: SearchCriterion): readonly Attribute[] {
  const keys = keysOf(client, criterion)
  const isCharsetNeeded = hasUnicode(criterion) && !client.enabled.has('UTF8=ACCEPT')
  return isCharsetNeeded ? [atom('CHARSET'), atom('UTF-8'), ...keys] : keys
}

/** Whether a server has to understand more than ASCII for it. */
export function hasUnicode(criterion: SearchCriterion): boolean {
  if (criterion.kind === 'and' || criterion.kind === 'or') return criterion.of.some(hasUnicode)
  if (criterion.kind === 'not') return hasUnicode(criterion.of)
  return criterion.kind === 'contains' && NOT_ASCII.test(criterion.text)
}

function keysOf(client: ImapFlow, criterion: SearchCriterion): readonly Attribute[] {
  switch (criterion.kind) {
    case 'all':
      return ALL
    case 'and':
      return criterion.of.flatMap((member) => keysOf(client, member))
    case 'or':
      return anyOf(criterion.of.map((member) => oneKey(client, member)))
    case 'not':
      return [atom('NOT'), ...oneKey(client, criterion.of)]
    case 'contains':
      return [atom(criterion.part.toUpperCase()), searchedText(criterion.text)]
    case 'header':
      return [atom('HEADER'), searchedText(criterion.name), searchedText(criterion.text)]
    case 'flag':
      return [atom(criterion.flag.slice(1).toUpperCase())]
    case 'keyword':
      return [atom('KEYWORD'), flagName(criterion.keyword)]
    case 'gmail_label':
      return [atom('X-GM-LABELS'), mailboxName(client, criterion.label)]
    case 'date':
      return dateKey(criterion)
    case 'size':
      return sizeKey(criterion)
    default:
      return criterion satisfies never
  }
}

/** In parentheses where it is more than one key. */
function oneKey(client: ImapFlow, criterion: SearchCriterion): readonly Attribute[] {
  const keys = keysOf(client, criterion)
  return criterion.kind === 'and' ? [keys] : keys
}

/** OR takes two: a tree that is no deeper than it must, for servers bound how deep they follow. */
function anyOf(members: readonly (readonly Attribute[])[]): readonly Attribute[] {
  const [only = ALL] = members
  if (members.length < 2) return only
  const half = Math.ceil(members.length / 2)
  return [atom('OR'), ...anyOf(members.slice(0, half)), ...anyOf(members.slice(half))]
}

/** Quoted, so that no word is taken for a key, and as a literal where a quoted string cannot hold it. */
function searchedText(text: string): Attribute {
  if (UNSPEAKABLE.test(text)) throw new Error('A text with NUL or a line break cannot be sought.')
  if (NOT_ASCII.test(text)) return { type: 'LITERAL', value: Buffer.from(text) }
  return { type: 'STRING', value: text }
}

function dateKey({ of, than, dayMs }: Extract<SearchCriterion, { kind: 'date' }>) {
  const name = of === 'date_header' ? `SENT${than.toUpperCase()}` : than.toUpperCase()
  const day = formatDate(new Date(dayMs))
  if (!day) throw new Error('A day that no server knows cannot be sought.')
  return [atom(name), atom(day)]
}

function sizeKey({ than, bytes }: Extract<SearchCriterion, { kind: 'size' }>) {
  if (bytes > BYTES_MAX) return than === 'smaller' ? ALL : [atom('NOT'), ...ALL]
  return [atom(than.toUpperCase()), atom(String(bytes))]
}
