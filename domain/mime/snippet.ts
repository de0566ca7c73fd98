import { textOfHtml } from './text-of-html.ts'

export const SNIPPET_CHARS_MAX = 200

/** Far more text than a snippet needs; a body that begins with a megabyte of spaces is not read to its end. */
const TEXT_CHARS_READ = 8000
/** The same of HTML, whose styles often come first. */
const HTML_CHARS_READ = 64 * 1024

/** White space, control characters, and the invisible ones that senders pad the previews of their mail with. */
const BLANK = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]+/gu

/** A document that a sender has put where its text should be. */
const HTML_DOCUMENT = /^\s*<(?:!doctype\s+html|html)\b/i

/** Where a link leads, as converters write it behind the words of the link. */
const LINK_TARGET = /[([<]\s*(?:https?:\/\/|mailto:)[^\s()[\]<>]*\s*[)\]>]/gi

/**
 * The beginning of a text in at most 200 characters (UTF-16 units), white space folded, no pair cut in half, without
 * markup and, unless it has nothing else, the bracketed targets of links.
 */
export function makeSnippet(text: string): string {
  const read = HTML_DOCUMENT.test(text) ? textOfHtml(text.slice(0, HTML_CHARS_READ)) : text
  const start = read.slice(0, TEXT_CHARS_READ).toWellFormed()
  const folded = fold(start.replaceAll(LINK_TARGET, ' ')) || fold(start)
  if (folded.length <= SNIPPET_CHARS_MAX) return folded
  const cutsPair = isHighSurrogate(folded.charCodeAt(SNIPPET_CHARS_MAX - 1))
  return folded.slice(0, cutsPair ? SNIPPET_CHARS_MAX - 1 : SNIPPET_CHARS_MAX).trimEnd()
}

const fold = (text: string): string => text.replaceAll(BLANK, ' ').trim()

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
