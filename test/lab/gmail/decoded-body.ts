import { decodedWords, fromQuotedPrintable, inCharset } from './decoded-words.ts'
import { headerBlock, headerField } from './message.ts'

/** The text of a message, or a part of one, below its header: of all parts that are text, decoded. */
export function decodedBody(source: Buffer): string {
  const type = headerField(source, 'Content-Type') || 'text/plain'
  const content = source.subarray(headerBlock(source).length)
  if (/^multipart\//i.test(type))
    return partsOf(content, parameter(type, 'boundary')).map(decodedBody).join('\n')
  const decoded = transferDecoded(content, headerField(source, 'Content-Transfer-Encoding'))
  if (/^message\/rfc822/i.test(type))
    return `${decodedWords(headerBlock(decoded).toString('latin1'))}${decodedBody(decoded)}`
  if (!/^text\//i.test(type)) return ''
  const text = inCharset(decoded, parameter(type, 'charset') || 'utf-8')
  return /^text\/html/i.test(type) ? text.replaceAll(/<[^>]*>/g, '') : text
}

function parameter(field: string, name: string): string {
  const [, quoted, token] =
    new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(field) ?? []
  return quoted ?? token ?? ''
}

/** What stands between the lines of the boundary (RFC 2046 section 5.1). */
function partsOf(content: Buffer, boundary: string): readonly Buffer[] {
  const [, ...pieces] = `\r\n${content.toString('latin1')}`.split(`\r\n--${boundary}`)
  return pieces
    .filter((piece) => !piece.startsWith('--'))
    .map((piece) => Buffer.from(piece.replace(/^[ \t]*\r\n/, ''), 'latin1'))
}

function transferDecoded(content: Buffer, encoding: string): Buffer {
  if (/^base64$/i.test(encoding)) return Buffer.from(content.toString('latin1'), 'base64')
  return /^quoted-printable$/i.test(encoding)
    ? fromQuotedPrintable(content.toString('latin1'))
    : content
}
