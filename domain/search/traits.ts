/** No message is larger than two to the power of this. */
const SIZE_TRAIT_MAX = 40

/**
 * What is indexed of a content besides its texts: that it is there, about how large it is, whether anything is attached
 * to it that is not shown in its text, and whether it links.
 */
export type IndexedTrait = 'content' | `size${number}` | 'attachment' | 'link'

/** The characters of private use at the beginning keep it apart from all words that people write. */
export const traitWord = (trait: IndexedTrait): string => `\u{e5e0}\u{e5e1}${trait}`

/** The power of two that a size has reached. */
export const sizeTrait = (bytes: number): IndexedTrait => `size${powerOf(bytes)}`

/** The traits that sizes from `least` to `most` can have. */
export function sizeTraits(least: number, most: number): readonly IndexedTrait[] {
  const traits: IndexedTrait[] = []
  for (let power = powerOf(least); power <= powerOf(most); power += 1) traits.push(`size${power}`)
  return traits
}

const powerOf = (bytes: number): number =>
  Math.min(SIZE_TRAIT_MAX, Math.floor(Math.log2(Math.max(1, bytes))))
