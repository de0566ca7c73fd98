import { decodeWords as decodeKnownWords } from 'postal-mime'

import { decodeUtf7, isUnknown, isWrittenUtf8 } from './charset.ts'
import { decodeBase64, decodeQuotedPrintable } from './transfer-encoding.ts'

const UTF_7_WORD = /=\?(?:x-)?(?:unicode-1-1-)?utf-?7(?:\*[^?\s]*)?\?[QB]\?[^?]*\?=/gi
const BASE64_WORDS = /=\?[^?\s]+\?B\?[^?\s]*\?=(?:\s+=\?[^?\s]+\?B\?[^?\s]*\?=)+/gi
const QUOTED_WORD = /=\?([^?\s]+)\?Q\?([^?]*)\?=/gi
const WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?[QB]\?[^?]*\?=/gi
const UNENCODED = /[^\0-\x7f]+/g
const REPLACEMENT = '\uFFFD'
const encoder = new TextEncoder()

/**
 * Decodes the encoded words of a header value (RFC 2047), those in UTF-7 among them. Words that were cut in the
 * middle of a character, which RFC 2047 forbids and many senders do, are put together again.
 */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return value
  const mended = value
    .replaceAll(UTF_7_WORD, decodeUtf7Word)
    .replaceAll(WORD, relabelUtf8)
    .replaceAll(QUOTED_WORD, splitWord)
  const decoded = decodeKnownWords(mended)
  const clean = decoded.includes(REPLACEMENT) ? decodeJoined(mended, decoded) : decoded
  return clean.replaceAll('\0', '')
}

/** A word whose character set nobody knows is read as UTF-8 when it is that. */
function relabelUtf8(word: string, charset: string): string {
  if (!isUnknown(charset)) return word
  const [, , encoding = '', text = ''] = word.split('?')
  return isWrittenUtf8(wordBytes(encoding, text)) ? `=?utf-8?${encoding}?${text}?=` : word
}

/** Characters in a word that nobody encoded stand for themselves. */
const splitWord = (_: string, charset: string, text: string): string => {
  const split = text.replaceAll(UNENCODED, (plain) => `?=${plain}=?${charset}?Q?`)
  return `=?${charset}?Q?${split}?=`
}

/** Padding between two words hides from the library that they belong together. */
function decodeJoined(value: string, decoded: string): string {
  const joined = decodeKnownWords(value.replaceAll(BASE64_WORDS, joinBase64Words))
  return joined.includes(REPLACEMENT) ? decoded : joined
}

function joinBase64Words(words: string): string {
  const parts = words.split(/\s+/).map((word) => word.split('?'))
  const charset = parts[0]?.[1] ?? ''
  if (parts.some((part) => part[1]?.toLowerCase() !== charset.toLowerCase())) return words
  const octets = parts.flatMap((part) => Array.from(decodeBase64(encoder.encode(part[3] ?? ''))))
  return `=?${charset}?Q?${octets.map((octet) => `=${octet.toString(16).padStart(2, '0')}`).join('')}?=`
}

function decodeUtf7Word(word: string): string {
  const [, , encoding = '', text = ''] = word.split('?')
  return decodeUtf7(wordBytes(encoding, text))
}

const wordBytes = (encoding: string, text: string): Uint8Array =>
  encoding.toUpperCase() === 'B'
    ? decodeBase64(encoder.encode(text))
    : decodeQuotedPrintable(encoder.encode(text.replaceAll('_', ' ')))
