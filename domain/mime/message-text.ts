import { mendCharset } from './charset.ts'
import { bytesOf } from './parse-message.ts'
import type { ParsedMessage, TextLeaf } from './parse-message.ts'
import { textOfHtml } from './text-of-html.ts'

/** The text of text leaves, joined, lines ending in LF; undefined when there is no leaf. */
function plainText(leaves: readonly TextLeaf[]): string | undefined {
  if (leaves.length === 0) return undefined
  return leaves
    .map((leaf) => decoded(leaf).replaceAll(/\r\n?/g, '\n').replaceAll('\0', ''))
    .join('\n')
}

/** The HTML of HTML leaves, character set decoded and nothing else changed; undefined when there is no leaf. */
export function htmlText(leaves: readonly TextLeaf[]): string | undefined {
  return leaves.length === 0 ? undefined : leaves.map(decoded).join('\n')
}

/** The text of a message: its text/plain parts, or text made from the HTML when those say nothing. */
export function textOf(message: ParsedMessage): string | undefined {
  const text = plainText(message.plain)
  if (text !== undefined && (text.trim() !== '' || message.html.length === 0)) return text
  const html = htmlText(message.html)
  return html === undefined ? text : textOfHtml(html)
}

function decoded(leaf: TextLeaf): string {
  const { params, value } = leaf.part.contentType.parsed
  const declared = params['charset'] ?? ''
  const { charset, bytes } = mendCharset(bytesOf(leaf), {
    declared,
    likely: leaf.messageCharset,
    isHtml: value === 'text/html',
  })
  params['charset'] = charset
  leaf.part.content = bytes
  const text = leaf.part.getTextContent()
  // Some leaves are read twice: as HTML, and for the text made of it.
  params['charset'] = declared
  return text
}
