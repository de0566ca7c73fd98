/**
 * Marks that only decorate a letter: accents of Latin, Greek and Cyrillic, the vowel points of Hebrew and Arabic,
 * which are rarely written. Marks of Thai and Indic scripts are letters of their own, and the voicing of kana
 * makes another letter: those stay.
 */
const DECORATED = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}])\p{M}+/gu

/** Letters that Unicode does not decompose, as people without them on the keyboard type them. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ł', 'l'],
  ['ς', 'σ'],
])
const PLAIN_LETTER = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'g')
// oxlint-disable-next-line no-control-regex -- the range is ASCII itself
const NOT_ASCII = /[^\x00-\x7f]/

export const isAscii = (text: string): boolean => !NOT_ASCII.test(text)

/** Text as it is compared: case, accents, and full-width and other compatibility forms (NFKC) folded. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(DECORATED, '$1')
    .normalize('NFC')
    .replaceAll(PLAIN_LETTER, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
}
