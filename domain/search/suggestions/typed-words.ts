import { indexText } from '../index-text.ts'

/** Of what somebody types, and of an address or name: more than people write. */
const TEXT_CHARS_MAX = 400
const TYPED_WORDS_MAX = 8

/** What was typed, and how many suggestions of a kind are wanted. */
export interface Typed {
  /** The beginnings of words; none of them stand for anything. */
  readonly words: readonly string[]
  readonly limit: number
}

/** The words by whose beginnings a text is found, each once: those of the search index. */
export const wordsOf = (text: string): readonly string[] => [
  ...new Set(indexText(text.slice(0, TEXT_CHARS_MAX)).split(' ').filter(Boolean)),
]

/** What was typed, as the beginnings of words; undefined where that is nothing but signs. */
export function typedWords(typed: string): readonly string[] | undefined {
  const words = wordsOf(typed).slice(0, TYPED_WORDS_MAX)
  return words.length === 0 && typed.trim() !== '' ? undefined : words
}

/** Whether every typed word begins a word of the text. */
export function isMeant(text: string, typed: readonly string[]): boolean {
  const words = wordsOf(text)
  return typed.every((beginning) => words.some((word) => word.startsWith(beginning)))
}
