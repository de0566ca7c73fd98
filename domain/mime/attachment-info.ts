import type { AttachmentInfo } from '../../db/schema/contents.ts'
import { decodeWords } from './encoded-words.ts'
import { headerBlock, parseHeaders } from './headers.ts'
import { bytesOf, declaredName, sizeOf } from './parse-message.ts'
import type { Leaf } from './parse-message.ts'

/** The longest file name most file systems take, with room for what a browser adds to it. */
const FILENAME_CHARS_MAX = 200

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/
/** Control and format characters, those that turn the reading direction among them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu
const PATH_SEPARATORS = /[/\\]+/g

const TNEF = /^application\/(?:vnd\.)?ms-tnef$/

/** Endings for parts without a name. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['application/json', 'json'],
  ['application/pdf', 'pdf'],
  ['application/pgp-signature', 'asc'],
  ['application/pkcs7-mime', 'p7m'],
  ['application/pkcs7-signature', 'p7s'],
  ['application/zip', 'zip'],
  ['image/gif', 'gif'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/svg+xml', 'svg'],
  ['message/delivery-status', 'txt'],
  ['text/calendar', 'ics'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/rfc822-headers', 'txt'],
  ['text/vcard', 'vcf'],
])

/** What is known of an attachment. Its file name is always there and safe to offer for saving. */
export function attachmentInfo(leaf: Leaf, index: number): AttachmentInfo {
  const contentType = mediaType(leaf)
  const contentId = leaf.part.contentId?.replaceAll(/[<>\s]/g, '')
  const disposition = leaf.part.contentDisposition.parsed.value
  const inline =
    disposition === 'inline' || (disposition !== 'attachment' && leaf.related && Boolean(contentId))
  return {
    filename:
      safeName(decodeWords(declaredName(leaf.part) ?? '')) || madeName(contentType, leaf, index),
    contentType,
    size: sizeOf(leaf),
    inline,
    ...(contentId ? { contentId } : {}),
  }
}

function mediaType(leaf: Leaf): string {
  const type = leaf.part.contentType.parsed.value
  return MEDIA_TYPE.test(type) ? type : 'application/octet-stream'
}

function madeName(contentType: string, leaf: Leaf, index: number): string {
  if (contentType === 'message/rfc822') {
    const subject = parseHeaders(headerBlock(bytesOf(leaf))).get('subject')?.[0] ?? ''
    return `${safeName(subject) || `message-${index + 1}`}.eml`
  }
  if (TNEF.test(contentType)) return 'winmail.dat'
  return `attachment-${index + 1}.${ENDINGS.get(contentType) ?? 'bin'}`
}

/** Without separators, control characters and leading dots; empty when nothing is left. */
function safeName(name: string): string {
  const clean = name
    .toWellFormed()
    .replaceAll(INVISIBLE, '')
    .replaceAll(PATH_SEPARATORS, '_')
    .replaceAll(/\s+/g, ' ')
  const trimmed = clean.replace(/^[.\s]+/, '').trim()
  if (trimmed.length <= FILENAME_CHARS_MAX) return trimmed
  const ending = /\.[^.]{1,10}$/.exec(trimmed)?.[0] ?? ''
  return trimmed.slice(0, FILENAME_CHARS_MAX - ending.length).toWellFormed() + ending
}
