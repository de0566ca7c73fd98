import { decodedBody } from './decoded-body.ts'
import { decodedWords } from './decoded-words.ts'
import { type GmailMessage, headerBlock, headerField } from './message.ts'

/** Without regard to case, and with letters apart from their accents, nearly as RFC 5051 has it. */
const compared = (text: string) => text.normalize('NFKD').toLowerCase()

const bodies = new WeakMap<GmailMessage, string>()

/** Whether the decoded text below the header holds this. */
export function bodyHolds(message: GmailMessage, text: string): boolean {
  const body = bodies.get(message) ?? compared(decodedBody(message.source))
  bodies.set(message, body)
  return body.includes(compared(text))
}

/** Whether a decoded header field, or with no name the whole header, holds this. */
export function headerHolds({ source }: GmailMessage, text: string, name?: string): boolean {
  const field = name === undefined ? unfolded(headerBlock(source)) : headerField(source, name)
  return compared(decodedWords(field)).includes(compared(text))
}

/** Whether there is such a field at all. */
export const hasHeader = ({ source }: GmailMessage, name: string): boolean =>
  `\r\n${headerBlock(source).toString('latin1')}`
    .toLowerCase()
    .includes(`\r\n${name.toLowerCase()}:`)

const unfolded = (header: Buffer) => header.toString('latin1').replaceAll(/\r\n(?=[ \t])/g, '')
