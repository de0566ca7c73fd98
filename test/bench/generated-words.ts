import type { Random } from '../../cli/commands/local/demo/random.ts'

const WORDS = 20_000
const SYLLABLES = (
  'an ar be ber bra ca ce con da de den der di do e el en er es fa fer ga gen ge ha hel in ing ka ko la le li ' +
  'lo ma me min mo na ne no o on or pa per po pre ra re ri ro sa se sen si so sta ta te ter ti to tra u un ve ver vi'
).split(' ')
/** CJK unified ideographs in frequent use begin here; the exact ones do not matter to an index. */
const IDEOGRAPHS_FROM = 0x4e00
const IDEOGRAPHS = 2_500

/** Makes text whose words are as unevenly frequent as those of a language, so that an index has real work. */
export interface WordSource {
  words(count: number): string
  sentence(): string
  /** About `bytes` long, in paragraphs with lines below 78 columns. */
  text(bytes: number): string
  ideographs(count: number): string
}

/** Words as unevenly frequent as this, unless told otherwise. */
export function unevenWord(random: Random): () => string {
  const vocabulary = Array.from({ length: WORDS }, () =>
    generatedWord(random, random.integer(1, 4)),
  )
  // Squaring twice leans towards the front of the list, as Zipf's law does.
  return () => vocabulary[Math.floor(random.fraction() ** 4 * WORDS)] ?? ''
}

/** A word of so many syllables. */
export const generatedWord = (random: Random, syllables: number): string =>
  Array.from({ length: syllables }, () => random.pick(SYLLABLES)).join('')

/** Texts of words that `word` gives, one after the other. */
export function wordSource(random: Random, word: () => string): WordSource {
  const words = (count: number) => {
    let text = word()
    for (let n = 1; n < count; n += 1) text += ` ${word()}`
    return text
  }
  const sentence = () => {
    const text = words(random.integer(4, 11))
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  }
  const text = (bytes: number) => {
    let paragraphs = ''
    for (let lines = 1; paragraphs.length < bytes; lines += 1)
      paragraphs += sentence() + (lines % 6 === 0 ? '\r\n\r\n' : '\r\n')
    return paragraphs
  }
  const ideographs = (count: number) => {
    let line = ''
    for (let n = 1; n <= count; n += 1)
      line += n % 24 === 0 ? '。\r\n' : String.fromCodePoint(IDEOGRAPHS_FROM + ideograph())
    return line
  }
  const ideograph = () => Math.floor(random.fraction() ** 2 * IDEOGRAPHS)
  return { words, sentence, text, ideographs }
}
