import { type AddressToken, addressTokens } from './address-tokens.ts'

/** A mailbox as somebody wrote it (RFC 5322 section 3.4). */
export interface WrittenMailbox {
  /** The display name, empty where there is none. */
  readonly name: string
  readonly local: string
  /** The local part with its quotes. */
  readonly localWritten: string
  readonly domain: string
  /** All of it, as it is written. */
  readonly written: string
}

/** One by itself, or a group. */
interface Entry {
  readonly mailboxes: readonly WrittenMailbox[]
  readonly isGroup: boolean
}

/**
 * The entries of an address list without control characters, in time that grows with its length; undefined where it is
 * none. Empty entries are left out; a route (RFC 5322 section 4.4) is refused.
 */
export function readAddressList(text: string): readonly Entry[] | undefined {
  const tokens = addressTokens(text)
  if (!tokens) return undefined
  const entries: Entry[] = []
  let at = 0
  while (at < tokens.length) {
    if (!isSpecial(tokens[at], ',')) {
      const read = groupAt(text, tokens, at) ?? mailboxAt(text, tokens, at)
      if (!read) return undefined
      entries.push(read.entry)
      at = read.end
    }
    if (at < tokens.length && !isSpecial(tokens[at], ',')) return undefined
    at++
  }
  return entries
}

interface Read {
  readonly entry: Entry
  /** The index of the token behind it. */
  readonly end: number
}

type Tokens = readonly AddressToken[]

function groupAt(text: string, tokens: Tokens, start: number): Read | undefined {
  const colon = endOfPhrase(tokens, start)
  if (colon === start || !isSpecial(tokens[colon], ':')) return undefined
  const mailboxes: WrittenMailbox[] = []
  let at = colon + 1
  while (tokens[at] && !isSpecial(tokens[at], ';')) {
    if (!isSpecial(tokens[at], ',')) {
      const read = mailboxAt(text, tokens, at)
      if (!read) return undefined
      mailboxes.push(...read.entry.mailboxes)
      at = read.end
      if (isSpecial(tokens[at], ';')) break
    }
    if (!isSpecial(tokens[at], ',')) return undefined
    at++
  }
  return tokens[at] ? { entry: { mailboxes, isGroup: true }, end: at + 1 } : undefined
}

function mailboxAt(text: string, tokens: Tokens, start: number): Read | undefined {
  const bracket = endOfPhrase(tokens, start)
  const isNamed = isSpecial(tokens[bracket], '<')
  const from = isNamed ? bracket + 1 : start
  const sign = endOfPhrase(tokens, from)
  const domainEnd = endOfDomain(tokens, sign + 1)
  const local = tokens.slice(from, sign)
  if (!isSpecial(tokens[sign], '@') || domainEnd === undefined || !isLocalPart(local))
    return undefined
  if (isNamed && !isSpecial(tokens[domainEnd], '>')) return undefined
  const end = isNamed ? domainEnd + 1 : domainEnd
  const valueOf = (part: Tokens) => part.map(({ value }) => value).join('')
  const mailbox = {
    name: isNamed ? nameOf(tokens.slice(start, bracket)) : '',
    local: valueOf(local),
    localWritten: written(text, local),
    domain: valueOf(tokens.slice(sign + 1, domainEnd)),
    written: written(text, tokens.slice(start, end)),
  }
  return { entry: { mailboxes: [mailbox], isGroup: false }, end }
}

const written = (text: string, part: Tokens) => text.slice(part[0]?.start, part.at(-1)?.end)

const isSpecial = (token: AddressToken | undefined, character: string) =>
  token?.kind === 'special' && token.value === character

const isWord = (token: AddressToken | undefined) =>
  token?.kind === 'atom' || token?.kind === 'quoted'

/** Behind words, and the dots of initials after the first of them. */
function endOfPhrase(tokens: Tokens, start: number): number {
  let end = start
  while (isWord(tokens[end]) || (end > start && isSpecial(tokens[end], '.'))) end++
  return end
}

const nameOf = (phrase: Tokens): string =>
  phrase
    .map(({ value, isApart }) => (isApart ? ` ${value}` : value))
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim()

/** Words with dots between, and nothing else. */
const isLocalPart = (part: Tokens): boolean =>
  part.length % 2 === 1 &&
  part.every((token, index) =>
    index % 2 === 0 ? isWord(token) && (index === 0 || !token.isApart) : isDot(token),
  )

const isDot = (token: AddressToken) => isSpecial(token, '.') && !token.isApart

function endOfDomain(tokens: Tokens, start: number): number | undefined {
  if (tokens[start]?.kind === 'literal') return start + 1
  let end = start
  while (tokens[end]?.kind === 'atom') {
    end++
    if (!isSpecial(tokens[end], '.')) return end
    end++
  }
  return undefined
}
