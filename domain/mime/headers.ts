import { charsetOfContentType, decodeBytes } from './charset.ts'
import { decodeWords } from './encoded-words.ts'
import { isContinuation, isField, lineAt, lineBreakOf, startsBodyEarly } from './lines.ts'

/** Bytes of header fields read of one message. Stops messages that are one endless header from filling memory. */
export const HEADER_BYTES_MAX = 1024 * 1024

/** Encoded words decoded of one message. Stops a megabyte of them from taking a second of whoever asks for it. */
const ENCODED_WORDS_MAX = 10_000

/** Field names in lower case with their values in order of appearance. A Map, so any name is harmless. */
export type HeaderMap = ReadonlyMap<string, readonly string[]>

/** The header block exactly as received, without the blank line after it, and at most HEADER_BYTES_MAX of it. */
export function headerBlock(source: Uint8Array): Uint8Array {
  const block = source.subarray(0, HEADER_BYTES_MAX)
  const lineBreak = lineBreakOf(source)
  let line = lineAt(block, 0, lineBreak)
  while (line && line.end > line.start && !startsBodyEarly(block, line, lineBreak)) {
    line = lineAt(block, line.next, lineBreak)
  }
  return block.slice(0, line?.start ?? block.length)
}

/**
 * The fields of a header block with their values unfolded (RFC 5322 section 2.2.3), still encoded. Bytes that are
 * neither ASCII nor UTF-8 are in the character set of the body, as in mail from before RFC 2047.
 */
export function unfoldHeaders(headersRaw: Uint8Array): HeaderMap {
  const headers = unfold(headersRaw, undefined)
  if (!headersRaw.some((byte) => byte > 0x7f)) return headers
  const charset = charsetOfContentType(headers.get('content-type')?.[0] ?? '')
  return charset === undefined ? headers : unfold(headersRaw, charset)
}

function unfold(headersRaw: Uint8Array, charset: string | undefined): HeaderMap {
  const fields: { readonly name: string; readonly lines: string[] }[] = []
  const lineBreak = lineBreakOf(headersRaw)
  let line = lineAt(headersRaw, 0, lineBreak)
  for (; line; line = lineAt(headersRaw, line.next, lineBreak)) {
    const text = decodeBytes(headersRaw.subarray(line.start, line.end), charset)
    if (isContinuation(headersRaw, line)) {
      fields.at(-1)?.lines.push(text)
    } else if (isField(headersRaw, line)) {
      const colon = text.indexOf(':')
      fields.push({
        name: text.slice(0, colon).trim().toLowerCase(),
        lines: [text.slice(colon + 1)],
      })
    }
  }
  const headers = new Map<string, string[]>()
  for (const { name, lines } of fields) {
    const value = lines
      .join('')
      .replaceAll(/[\r\0]/g, ' ')
      .trim()
    const values = headers.get(name)
    if (values) values.push(value)
    else headers.set(name, [value])
  }
  return headers
}

/**
 * The fields of a header block with their values unfolded and their encoded words decoded (RFC 2047). Values that
 * come after too many words stay encoded.
 */
export function parseHeaders(headersRaw: Uint8Array): HeaderMap {
  let wordsLeft = ENCODED_WORDS_MAX
  const decoded = (value: string): string => {
    wordsLeft -= value.split(/=\?(?!=)/).length - 1
    return wordsLeft < 0 ? value : decodeWords(value)
  }
  const headers = new Map<string, readonly string[]>()
  for (const [name, values] of unfoldHeaders(headersRaw)) headers.set(name, values.map(decoded))
  return headers
}
