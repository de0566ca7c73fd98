/** An encoded word, with the blanks before another one. */
const WORDS = /=\?[^?]+\?[bq]\?[^?]*\?=(?:\s+(?==\?))?/gi
const WORD = /=\?([^?*]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/i

/** A header field as people read it (RFC 2047); it came with each byte a character. */
export const decodedWords = (field: string): string =>
  Buffer.from(field, 'latin1').toString('utf8').replaceAll(WORDS, decodedWord)

function decodedWord(word: string): string {
  const [, charset = '', encoding = '', text = ''] = WORD.exec(word) ?? []
  return inCharset(/b/i.test(encoding) ? Buffer.from(text, 'base64') : fromQ(text), charset)
}

const fromQ = (text: string) => fromQuotedPrintable(text.replaceAll('_', ' '))

/** The bytes that a quoted-printable text stands for (RFC 2045 section 6.7). */
export const fromQuotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll(/=[ \t]*\r\n/g, '')
      .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  )

/** Text of a character set that browsers know, and of others as well as it goes. */
export function inCharset(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}
