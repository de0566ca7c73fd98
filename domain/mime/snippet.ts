export const SNIPPET_CHARS_MAX = 200

/** Far more text than a snippet needs; a body that begins with a megabyte of spaces is not read to its end. */
const TEXT_CHARS_READ = 8000

/** White space, control characters, and the invisible ones that senders pad the previews of their mail with. */
const BLANK = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]+/gu

/** The beginning of a text in at most 200 characters (UTF-16 units), white space folded, no pair cut in half. */
export function makeSnippet(text: string): string {
  const folded = text.slice(0, TEXT_CHARS_READ).toWellFormed().replaceAll(BLANK, ' ').trim()
  if (folded.length <= SNIPPET_CHARS_MAX) return folded
  const cutsPair = isHighSurrogate(folded.charCodeAt(SNIPPET_CHARS_MAX - 1))
  return folded.slice(0, cutsPair ? SNIPPET_CHARS_MAX - 1 : SNIPPET_CHARS_MAX).trimEnd()
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
