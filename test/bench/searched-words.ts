import type { Random } from '../../cli/commands/local/demo/random.ts'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import { generatedWord } from './generated-words.ts'

const SEED = 20_250_303
/** How many words there are of up to so many syllables: the most frequent ones are the shortest. */
const WORDS_UP_TO: readonly number[] = [40, 2_000, 100_000, 500_000]

/** A vocabulary as large as that of many years of mail, the most frequent word first; none is there twice. */
export function searchedWords(): readonly string[] {
  const random = seededRandom(SEED)
  const words = new Set<string>()
  for (const [index, upTo] of WORDS_UP_TO.entries())
    while (words.size < upTo) words.add(generatedWord(random, index + 1))
  return [...words]
}

/** A place in a list of so many words, each as often as its rank says (Zipf's law): from one in all to one in few. */
export const zipfIndex = (random: Random, words: number): number =>
  Math.floor((words + 1) ** random.fraction()) - 1
