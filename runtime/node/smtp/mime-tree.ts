import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buildHeaderValue } from 'nodemailer/lib/mime-funcs'
import MimeNode from 'nodemailer/lib/mime-node'
import type { OutgoingAttachment, OutgoingParts } from '../../ports/submission.ts'
import type { Travelling } from './travelling.ts'

/** The content of a message, with the header fields that belong to it. */
export function contentStream(parts: OutgoingParts, attachments: readonly Travelling[]): Readable {
  // Neither quoted-printable nor base64 ever has this prefix (RFC 2045 section 6.7).
  const boundaryPrefix = '=_'
  const root = new MimeNode('', { boundaryPrefix, baseBoundary: baseBoundary(parts) })
  const { message } = parts
  const shown = attachments.filter((attachment) => isShown(message, attachment))
  const attached = attachments.filter((attachment) => !isShown(message, attachment))
  if (attached.length === 0) return addBody(root, message, shown).createReadStream()
  const mixed = root.createChild('multipart/mixed')
  // What a part may hold, all that it is in may hold (RFC 2045 section 6.4).
  if (attached.some(({ encoding }) => encoding === '8bit'))
    mixed.setHeader('Content-Transfer-Encoding', '8bit')
  addBody(mixed, message, shown)
  for (const attachment of attached) addAttachment(mixed, attachment, 'attachment')
  return mixed.createReadStream()
}

/** Whether it is a part of the HTML text (RFC 2387), rather than beside it. */
const isShown = ({ html }: OutgoingParts['message'], { attachment, encoding }: Travelling) =>
  html !== undefined && attachment.inlineId != null && encoding === 'base64'

/**
 * The same each time the message is rendered, and in nothing that it holds: an earlier version of it, which may be
 * attached to it, says something else.
 */
function baseBoundary({ message, messageIdHeader, dateMs, attachments }: OutgoingParts): string {
  const files = attachments.map(({ filename, contentType, size }) => [filename, contentType, size])
  const said = JSON.stringify([messageIdHeader, dateMs, message, files])
  return createHash('sha256').update(said).digest('hex').slice(0, 32)
}

function addBody(
  parent: MimeNode,
  { text, html }: OutgoingParts['message'],
  shown: readonly Travelling[],
): MimeNode {
  if (html === undefined) return addText(parent, 'text/plain', text)
  const alternative = parent.createChild('multipart/alternative')
  addText(alternative, 'text/plain', text)
  const related =
    shown.length === 0
      ? alternative
      : alternative.createChild('multipart/related; type="text/html"')
  addText(related, 'text/html', html)
  for (const attachment of shown) addAttachment(related, attachment, 'inline')
  return alternative
}

function addText(parent: MimeNode, contentType: string, content: string): MimeNode {
  const lines = content.replaceAll(/\r\n?|\n/g, '\r\n')
  return parent.createChild(`${contentType}; charset=utf-8`).setContent(lines)
}

function addAttachment(
  parent: MimeNode,
  { attachment, contentType, encoding }: Travelling,
  value: 'attachment' | 'inline',
): void {
  const disposition = buildHeaderValue({ value, params: { filename: attachment.filename } })
  const part = parent.createChild(contentType)
  if (value === 'inline') part.setHeader('Content-ID', `<${attachment.inlineId ?? ''}>`)
  part
    .setHeader('Content-Transfer-Encoding', encoding)
    .setHeader('Content-Disposition', { value: disposition, prepared: true, foldLines: true })
    .setContent(Readable.from(whenItsTurnComes(attachment), { objectMode: false }))
}

async function* whenItsTurnComes({ content }: OutgoingAttachment): AsyncGenerator<Uint8Array> {
  yield* content()
}
