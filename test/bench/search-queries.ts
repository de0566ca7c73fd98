import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import type { SearchedContents } from './searched-mailbox.ts'

const SEED = 20_250_305
/** Different ones of a kind, where there are as many, so that no answer is at hand. */
const QUERIES = 220
const RARE_IN = 10
const COMMON_SHARE = 0.1
const COMMON_WORDS = 60
const VERY_COMMON_SHARE = 0.8
const VERY_COMMON_WORDS = 10
const PHRASE_WORDS = 3
/** Words that are something else to notmuch: of its syntax, tags and MIME types, which it finds like text. */
const SYNTAX = ['and', 'or', 'not', 'xor', 'near', 'adj']
const TAGS = ['new', 'unread', 'replied', 'flagged', 'attachment']
const TYPES = ['text', 'plain', 'html', 'multipart', 'mixed', 'alternative', 'application', 'pdf']
/** These stand only in the HTML beside a text, of which we index what is shown and notmuch both. */
const HIDDEN = ['read', 'more']
const OTHERWISE_IN_NOTMUCH = [...SYNTAX, ...TAGS, ...TYPES, ...HIDDEN]
const QUICK_BAR_MS = 2
const BAR_MS = 5

/** The same question in the language of each. */
export interface PairedQuery {
  readonly ours: string
  readonly notmuch: string
}

/** Queries that take a search engine about the same work. */
export interface QueryKind {
  readonly what: string
  readonly queries: readonly PairedQuery[]
  /** For the median; kinds without one are only told. */
  readonly barMs?: number
  /** Where notmuch finds more: all pairs of characters in any order, and a single one at the end of a line. */
  readonly isLooserThere?: true
}

/** What is asked of a mailbox of so many messages, in order of the bars. */
export function searchQueries(contents: SearchedContents, messages: number): readonly QueryKind[] {
  const random = seededRandom(SEED)
  const some = (query: () => PairedQuery) => Array.from({ length: QUERIES }, query)
  const oneOf =
    <T>(choices: readonly T[]) =>
    () =>
      random.pick(choices)
  const rare = oneOf(contents.wordsIn(RARE_IN, QUERIES))
  const common = oneOf(contents.wordsIn(messages * COMMON_SHARE, COMMON_WORDS))
  const veryCommon = oneOf(contents.wordsIn(messages * VERY_COMMON_SHARE, VERY_COMMON_WORDS))
  const name = oneOf(contents.names)

  const sentences = contents.sentences.map((sentence) => sentence.split(' '))
  const phrase = () => {
    const words = random.pick(sentences)
    const from = random.integer(0, words.length - PHRASE_WORDS)
    return words.slice(from, from + PHRASE_WORDS).join(' ')
  }
  const prefix = (letters: number) => {
    const prefixes = sentences
      .flat()
      .filter((written) => written.length > letters)
      .map((written) => written.slice(0, letters))
      .filter((start) => !OTHERWISE_IN_NOTMUCH.some((known) => known.startsWith(start)))
    return some(() => same(`${random.pick(prefixes)}*`))
  }
  const substring = (characters: number) => () => {
    const line = random.pick(contents.ideographs)
    const from = random.integer(0, line.length - characters)
    return line.slice(from, from + characters)
  }
  const ideographs = (characters: number) => some(() => same(substring(characters)()))

  return [
    {
      what: `a word of about ${RARE_IN} messages`,
      queries: some(() => word(rare())),
      barMs: QUICK_BAR_MS,
    },
    {
      what: 'a word of 10 % of all messages',
      queries: some(() => word(common())),
      barMs: QUICK_BAR_MS,
    },
    {
      what: 'a word of 80 % of all messages',
      queries: some(() => word(veryCommon())),
      barMs: QUICK_BAR_MS,
    },
    { what: 'from: a name', queries: some(() => same(`from:${name()}`)), barMs: QUICK_BAR_MS },
    {
      what: 'from: a name, and a word of 10 %',
      queries: some(() => both(same(`from:${name()}`), word(common()))),
      barMs: BAR_MS,
    },
    {
      what: 'is:unread has:attachment, and a word of 10 %',
      queries: some(() => both(UNREAD_WITH_ATTACHMENT, word(common()))),
      barMs: BAR_MS,
    },
    { what: 'a phrase of three words', queries: some(() => same(`"${phrase()}"`)), barMs: BAR_MS },
    { what: 'a prefix of 5 letters', queries: prefix(5), barMs: BAR_MS },
    {
      what: 'a word of 10 % without one of 80 %',
      queries: some(() => both(word(common()), without(veryCommon()))),
      barMs: BAR_MS,
    },
    {
      what: 'all without a word of 80 %',
      queries: some(() => without(veryCommon())),
      barMs: BAR_MS,
    },
    {
      what: 'one of three words of 10 % each',
      queries: some(() => anyOf([common(), common(), common()])),
      barMs: BAR_MS,
    },
    { what: '2 ideographs', queries: ideographs(2), barMs: BAR_MS },
    { what: '4 ideographs', queries: ideographs(4), barMs: BAR_MS, isLooserThere: true },
    { what: 'a prefix of 4 letters', queries: prefix(4) },
    { what: 'a prefix of 3 letters', queries: prefix(3) },
    { what: 'a prefix of 2 letters', queries: prefix(2) },
    { what: 'one ideograph', queries: ideographs(1), isLooserThere: true },
  ]
}

const same = (query: string): PairedQuery => ({ ours: query, notmuch: query })

/** Quoted, notmuch leaves out the stemming, which we do not have. */
const word = (text: string): PairedQuery => ({ ours: text, notmuch: `"${text}"` })

const without = (text: string): PairedQuery => ({ ours: `-${text}`, notmuch: `not "${text}"` })

const UNREAD_WITH_ATTACHMENT: PairedQuery = {
  ours: 'is:unread has:attachment',
  notmuch: 'tag:unread and tag:attachment',
}

const both = (one: PairedQuery, other: PairedQuery): PairedQuery => ({
  ours: `${one.ours} ${other.ours}`,
  notmuch: `${one.notmuch} and ${other.notmuch}`,
})

const anyOf = (texts: readonly string[]): PairedQuery => ({
  ours: texts.join(' OR '),
  notmuch: texts.map((text) => `"${text}"`).join(' or '),
})
