import type { StoredMessage } from '../../cli/commands/local/demo/maildir.ts'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { generatedMailbox, SENDERS } from './generated-mailbox.ts'
import { searchedWords, zipfIndex } from './searched-words.ts'

const SEED = 20_250_304
const SAMPLED = 2_000
/** The family name of a sender is a word that is rare otherwise. */
const NAMES_FROM = 250_000
/** As many as may come together in many years of mail. */
const CORRESPONDENTS = 20_000
const GIVEN_NAMES = 500
const COPIES = 2

/** A mailbox of which is known what can be looked for in it. */
export interface SearchedMailbox {
  /** Oldest first, made one by one, the same bytes in every run. */
  readonly messages: () => Generator<StoredMessage>
  /** What it holds; of all messages once all of them have been made. */
  readonly contents: SearchedContents
}

export interface SearchedContents {
  /** Family names of senders, equally frequent. */
  readonly names: readonly string[]
  /** The `count` words that are in `messages` messages, or in about as many. */
  wordsIn(messages: number, count: number): readonly string[]
  /** Sentences of messages from anywhere in the mailbox, in lower case, without the full stop. */
  readonly sentences: readonly string[]
  /** Lines of ideographs, likewise. */
  readonly ideographs: readonly string[]
  /** Given and family names of those who are written to as well, the most frequent first. */
  readonly correspondents: readonly string[]
}

/** `count` generated messages whose words are as frequent as those of a language, rare ones among them. */
export function searchedMailbox(count: number): SearchedMailbox {
  const words = searchedWords()
  const tally = wordTally(words.length)
  const samples = sampler()
  const names = Array.from({ length: SENDERS }, (_, index) => words[NAMES_FROM + index] ?? '')
  const correspondents = correspondentsOf(words)
  const sampledEach = Math.max(1, Math.floor(count / SAMPLED))

  function* messages() {
    const mailbox = generatedMailbox(count, {
      wordsBy: (random) => () => {
        const index = zipfIndex(random, words.length)
        tally.use(index)
        return words[index] ?? ''
      },
      nameOf: (sender) => `Ada ${names[sender - 1]}`,
      copiedTo: copiesTo(correspondents),
    })
    let made = 0
    for (const message of mailbox) {
      if (made % sampledEach === 0) samples.take(message.source)
      made += 1
      tally.nextMessage()
      yield message
    }
  }

  const wordsIn = (wanted: number, size: number) =>
    tally.nearest(wanted, size).map((index) => words[index] ?? '')
  const { sentences, ideographs } = samples
  return { messages, contents: { names, wordsIn, sentences, ideographs, correspondents } }
}

/** Family names that are no words, so that each word is in as many messages as is said. */
const correspondentsOf = (words: readonly string[]): readonly string[] =>
  Array.from({ length: CORRESPONDENTS }, (_, index) => {
    const given = words[NAMES_FROM + SENDERS + (index % GIVEN_NAMES)]
    return `${given} ${words[index]}sson`
  })

function copiesTo(correspondents: readonly string[]) {
  const random = seededRandom(SEED)
  return () =>
    Array.from({ length: COPIES }, () => {
      const index = zipfIndex(random, correspondents.length)
      return `${correspondents[index]} <correspondent${index}@bench.test>`
    })
}

/** Counts the messages that each word is in. */
function wordTally(words: number) {
  const messagesOf = new Uint32Array(words)
  const lastMessageOf = new Uint32Array(words)
  let message = 1
  return {
    use(index: number): void {
      if (lastMessageOf[index] === message) return
      lastMessageOf[index] = message
      messagesOf[index] = (messagesOf[index] ?? 0) + 1
    },
    nextMessage(): void {
      message += 1
    },
    nearest(wanted: number, count: number): readonly number[] {
      const distance = (index: number) => Math.abs((messagesOf[index] ?? 0) - wanted)
      return Array.from(messagesOf.keys())
        .toSorted((a, b) => distance(a) - distance(b))
        .slice(0, count)
    },
  }
}

const IS_PLAIN = /^Content-Type: text\/plain; charset=utf-8\r\nContent-Transfer-Encoding: (\w+)$/m

/** Keeps one line of each message that is nothing but text. */
function sampler() {
  const random = seededRandom(SEED)
  const sentences: string[] = []
  const ideographs: string[] = []
  const take = (source: Uint8Array) => {
    const text = Buffer.from(source).toString('latin1')
    const bodyAt = text.indexOf('\r\n\r\n')
    const [, encoding] = IS_PLAIN.exec(text.slice(0, bodyAt)) ?? []
    if (encoding === undefined) return
    const body = text.slice(bodyAt).trim()
    // The last one may be cut off.
    const lineOf = (lines: readonly string[]) => random.pick(lines.slice(0, -1))
    if (encoding === 'base64')
      ideographs.push(lineOf(Buffer.from(body, encoding).toString().split('。\r\n')))
    else sentences.push(lineOf(body.split(/\.\s+/)).toLowerCase())
  }
  return { take, sentences, ideographs }
}
