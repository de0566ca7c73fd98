import { fold } from '../fold.ts'

/** What words stand between (see domain/search/index-text.ts). */
const NOT_WORDS = /[^\p{L}\p{N}\p{M}\p{Co}]+/u
/** Characters of a word that are asked for: what begins so is less than what holds all of it, by far enough. */
const WORD_CHARACTERS_MAX = 60

/** A spelling of a word: more than one word where folding takes it apart, such as a fraction. */
type Spelling = readonly string[]

/**
 * The words of a text, each in the spellings that mean the same here and may not to a server: as it was written, and
 * without accents, full-width and other forms.
 */
export function wordsOf(text: string): readonly (readonly Spelling[])[] {
  return split(text.normalize('NFC')).map((word) => {
    const folded = split(fold(word))
    const isSame = folded.length === 1 && folded[0] === word.toLowerCase()
    return (isSame || folded.length === 0 ? [[word]] : [[word], folded]).map((spelling) =>
      spelling.map(cut),
    )
  })
}

const split = (text: string) => text.split(NOT_WORDS).filter((word) => word !== '')

const cut = (word: string) => Array.from(word).slice(0, WORD_CHARACTERS_MAX).join('')
