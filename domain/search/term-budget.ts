import { indexText, isUnspaced } from './index-text.ts'

/** Words and conditions of a query that are searched for. */
const TERMS_MAX = 100
/** Words of all its texts. */
const WORDS_MAX = 100
/**
 * What a prefix of so many characters costs: the shorter, the more of the index is read. All of a query together may
 * cost so much, which is some hundred milliseconds in a mailbox of 100,000 messages.
 */
const PREFIX_COSTS: readonly number[] = [0, 8, 16, 4]
const LONG_PREFIX_COST = 1
const PREFIX_COSTS_MAX = 32

interface Words {
  readonly text: string
  readonly isPrefix: boolean
}

/** Keeps a query to what can be searched for quickly, and says what is left out. */
export interface TermBudget {
  /** Whether one more term may be searched for. */
  takeTerm(): boolean
  /** As many of these words as may be; undefined where none are left, or none are there. */
  takeWords(words: Words, shown: string): Words | undefined
}

export function termBudget(warn: (warning: string) => void): TermBudget {
  let terms = 0
  let wordsLeft = WORDS_MAX
  let prefixCosts = 0

  const takePrefix = (word: string, shown: string): boolean => {
    const length = Array.from(word).length
    if (length === 1 && !isUnspaced(word)) {
      warn(`${shown} is too short for a prefix and was searched for as a word.`)
      return false
    }
    prefixCosts += PREFIX_COSTS[length] ?? LONG_PREFIX_COST
    if (prefixCosts <= PREFIX_COSTS_MAX) return true
    warn('There are too many short prefixes; the later ones were searched for as words.')
    return false
  }

  return {
    takeTerm() {
      terms += 1
      if (terms <= TERMS_MAX) return true
      warn(`Only the first ${TERMS_MAX} terms were searched for.`)
      return false
    },
    takeWords({ text, isPrefix }, shown) {
      const words = wordsOf(text)
      const last = words.at(-1)
      if (last === undefined) {
        warn(`${shown} holds no word that could be searched for and was left out.`)
        return undefined
      }
      const isWhole = words.length <= wordsLeft
      if (!isWhole) warn(`Only the first ${WORDS_MAX} words were searched for.`)
      const kept = isWhole ? text : firstWords(text, wordsLeft)
      wordsLeft = Math.max(0, wordsLeft - words.length)
      if (kept === undefined) return undefined
      return { text: kept, isPrefix: isPrefix && isWhole && takePrefix(last, shown) }
    },
  }
}

const wordsOf = (text: string): readonly string[] => indexText(text).split(' ').filter(Boolean)

/** The longest beginning of a text that has no more words than `count`. */
function firstWords(text: string, count: number): string | undefined {
  if (count === 0) return undefined
  const characters = Array.from(text)
  let fits = 0
  let exceeds = characters.length
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1
    if (wordsOf(characters.slice(0, middle).join('')).length <= count) fits = middle
    else exceeds = middle
  }
  const kept = characters.slice(0, fits).join('')
  return wordsOf(kept).length === 0 ? undefined : kept
}
