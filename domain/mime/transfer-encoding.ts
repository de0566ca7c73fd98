import { decodeUuencoded } from './uuencode.ts'

const EQUALS = 0x3d
const LF = 0x0a
const CR = 0x0d
const NOT_BASE64 = 255

const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const BASE64_VALUES = new Uint8Array(256).fill(NOT_BASE64)
for (let value = 0; value < 64; value++) BASE64_VALUES[BASE64_ALPHABET.charCodeAt(value)] = value

/** Never registered, yet found in old mail. */
const UUENCODE: ReadonlySet<string> = new Set(['x-uuencode', 'uuencode', 'x-uue', 'uue'])

/** Decodes a body by its Content-Transfer-Encoding (RFC 2045 section 6). Unknown ones are taken as they are. */
export function decodeTransfer(encoding: string, body: Uint8Array): Uint8Array {
  if (encoding === 'base64') return decodeBase64(body)
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body)
  if (UUENCODE.has(encoding)) return decodeUuencoded(body)
  return body
}

/** How many bytes decoding gives. Base64, in which large bodies come, is not decoded for it. */
export function decodedSize(encoding: string, body: Uint8Array): number {
  return encoding === 'base64' ? base64Size(body) : decodeTransfer(encoding, body).length
}

/** Decodes base64 and skips what is no base64. Padding ends a unit, so that padded lines may follow each other. */
export function decodeBase64(body: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil((body.length * 3) / 4))
  let size = 0
  let bits = 0
  let count = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    const value = BASE64_VALUES[byte] ?? NOT_BASE64
    if (value !== NOT_BASE64) {
      bits = ((bits << 6) | value) & 0xffffff
      count++
      if (count % 4 !== 1) out[size++] = bits >> (6 - 2 * ((count - 1) % 4))
    } else if (byte === EQUALS) {
      bits = 0
      count = 0
    }
  }
  return out.subarray(0, size)
}

function base64Size(body: Uint8Array): number {
  let size = 0
  let count = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (BASE64_VALUES[byte] !== NOT_BASE64) {
      count++
    } else if (byte === EQUALS) {
      size += bytesOfUnits(count)
      count = 0
    }
  }
  return size + bytesOfUnits(count)
}

/** Four characters give three bytes; the first of each four gives none yet. */
const bytesOfUnits = (characters: number) => characters - Math.ceil(characters / 4)

/**
 * Decodes quoted-printable. Line ends stay as they are in the source; white space before them is padding of
 * the transport and goes (RFC 2045 section 6.7, rule 3). A broken escape stays as text.
 */
export function decodeQuotedPrintable(body: Uint8Array): Uint8Array {
  const out = new Uint8Array(body.length)
  let size = 0
  let contentSize = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (byte === LF || byte === CR) {
      size = contentSize
      out[size++] = byte
      contentSize = size
      continue
    }
    if (byte === EQUALS) {
      const next = softBreakEnd(body, at + 1)
      if (next !== undefined) {
        contentSize = size
        at = next - 1
        continue
      }
      const octet = hexOctet(body, at + 1)
      out[size++] = octet ?? byte
      if (octet !== undefined) at += 2
      contentSize = size
      continue
    }
    out[size++] = byte
    if (byte !== 0x20 && byte !== 0x09) contentSize = size
  }
  return out.subarray(0, contentSize)
}

/** Where the line after a soft line break starts, when one stands at `at`. */
function softBreakEnd(body: Uint8Array, at: number): number | undefined {
  let end = at
  while (body[end] === 0x20 || body[end] === 0x09) end++
  if (end >= body.length) return end
  if (body[end] === CR) return body[end + 1] === LF ? end + 2 : end + 1
  return body[end] === LF ? end + 1 : undefined
}

function hexOctet(body: Uint8Array, at: number): number | undefined {
  const high = hexDigit(body[at])
  const low = hexDigit(body[at + 1])
  return high === undefined || low === undefined ? undefined : high * 16 + low
}

function hexDigit(byte = 0): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined
}
