import { fold, isAscii } from './fold.ts'

/** Text of one field that is indexed. A log file sent as a body would otherwise outweigh the whole index. */
export const INDEX_TEXT_CHARS_MAX = 1024 * 1024

const NOT_ASCII_WORDS = /[^a-z0-9]+/g
/** What the tokenizer of the index splits at (see db/migrations): all but letters, digits, marks, private use. */
const NOT_WORDS = /[^\p{L}\p{N}\p{M}\p{Co}]+/gu

const UNSPACED_LETTER = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const UNSPACED = new RegExp(`[${UNSPACED_LETTER}]`, 'u')
const UNSPACED_RUN = new RegExp(`[${UNSPACED_LETTER}]+`, 'gu')

/**
 * Text as the search index holds it: folded words with single spaces between. Of addresses and host names each
 * label is a word. Runs of scripts written without spaces, and of Hangul, whose particles join the word, become
 * overlapping pairs of characters, so that any two or more of them are found as a phrase.
 */
export function indexText(text: string): string {
  const bounded = text.slice(0, INDEX_TEXT_CHARS_MAX)
  const folded = fold(bounded)
  if (isAscii(folded)) return folded.replaceAll(NOT_ASCII_WORDS, ' ').trim()
  const words = folded.replaceAll(NOT_WORDS, ' ').trim()
  if (!UNSPACED.test(words)) return words
  return words
    .replaceAll(UNSPACED_RUN, (run) => ` ${pairs(run)} `)
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}

/** Whether a text holds letters of a script that is written without spaces. */
export const isUnspaced = (text: string): boolean => UNSPACED.test(text)

function pairs(run: string): string {
  const characters = Array.from(run)
  if (characters.length === 1) return run
  const overlapping: string[] = []
  for (let at = 0; at + 1 < characters.length; at++) {
    overlapping.push(`${characters[at]}${characters[at + 1]}`)
  }
  return overlapping.join(' ')
}
