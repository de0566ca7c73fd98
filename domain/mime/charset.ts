const ASCII_OR_NONE = /^(?:|us-ascii|ascii|ansi_x3\.4-1968|unknown-8bit|8bit|x-unknown|default)$/
const UTF_7 = /^(?:x-)?(?:unicode-(?:1-1|2-0)-)?utf-?7$/
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i
const META_SCAN_BYTES = 2048

const DEFAULT_CHARSET = 'windows-1252'
const CHARSET_PARAMETER = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const windows1252 = new TextDecoder(DEFAULT_CHARSET)
const encoder = new TextEncoder()

/**
 * Text of bytes with no declared character set: UTF-8 where they are that, but for a broken character or two; else
 * `likely`, such as what the message around them declares, or windows-1252.
 */
export function decodeBytes(bytes: Uint8Array, likely?: string): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return decoderOf(guessCharset(bytes, likely)).decode(bytes)
  }
}

/** The character set that the value of a Content-Type names. */
export const charsetOfContentType = (value: string): string | undefined =>
  CHARSET_PARAMETER.exec(value)?.[1]

const decoderOf = (charset: string): TextDecoder =>
  charset === DEFAULT_CHARSET ? windows1252 : new TextDecoder(charset)

function guessCharset(bytes: Uint8Array, likely = DEFAULT_CHARSET): string {
  if (isMostlyUtf8(bytes)) return 'utf-8'
  return isPossible(likely) ? likely : DEFAULT_CHARSET
}

/** Whether undeclared text that is no UTF-8 may be in this character set; two bytes a character it never has. */
const isPossible = (label: string): boolean => encodingOf(label)?.startsWith('utf-') === false

/** A message may name one that does not exist a hundred thousand times, and each would be an error with its stack. */
const ENCODINGS_KEPT = 500
const LABEL_LENGTH_KEPT = 40
const encodings = new Map<string, string | undefined>()

/** The encoding a label stands for in the WHATWG Encoding Standard; undefined when it is none of its labels. */
function encodingOf(label: string): string | undefined {
  if (label.length > LABEL_LENGTH_KEPT) return foundEncoding(label)
  if (encodings.has(label)) return encodings.get(label)
  if (encodings.size >= ENCODINGS_KEPT) encodings.clear()
  const encoding = foundEncoding(label)
  encodings.set(label, encoding)
  return encoding
}

function foundEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** Whether no TextDecoder knows this label. Some are known to the library alone: "x-sjis-2", "cp50220". */
export const isUnknown = (label: string): boolean => encodingOf(label) === undefined

/** Whether bytes can only be meant as UTF-8; 7-bit text can be in one of the sets that only the library knows. */
export const isWrittenUtf8 = (bytes: Uint8Array): boolean =>
  bytes.some((byte) => byte > 0x7f) && isMostlyUtf8(bytes)

/** Text in another character set has few sequences that are valid in UTF-8, and many that are not. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let valid = 0
  let broken = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) continue
    const following = followingBytes(byte)
    let found = 0
    while (found < following && isContinuation(bytes[at + found + 1])) found++
    if (following > 0 && found === following) valid++
    else broken++
    at += found
  }
  return broken === 0 || valid > 2 * broken
}

/** How many bytes follow a first byte in UTF-8; none when it is no first byte. */
function followingBytes(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 0
  if (byte < 0xe0) return 1
  return byte < 0xf0 ? 2 : 3
}

const isContinuation = (byte = 0): boolean => byte >= 0x80 && byte < 0xc0

/** Bytes and the character set to read them in. */
export interface CharsetBytes {
  readonly charset: string
  readonly bytes: Uint8Array
}

/** What a text part says of itself, and what the message around it says. */
export interface DeclaredCharset {
  /** Empty when the part declares none. */
  readonly declared: string
  readonly likely: string | undefined
  readonly isHtml: boolean
}

/**
 * Mends what a text part declares: UTF-7 (RFC 2152), which no TextDecoder knows, is turned into UTF-8, and
 * 8-bit text declared as ASCII, as nothing that is known or not at all is read as what it is. Everything else
 * stays as declared.
 */
export function mendCharset(
  bytes: Uint8Array,
  { declared, likely, isHtml }: DeclaredCharset,
): CharsetBytes {
  const label = declared.trim().toLowerCase()
  if (UTF_7.test(label)) return { charset: 'utf-8', bytes: encoder.encode(decodeUtf7(bytes)) }
  if (!ASCII_OR_NONE.test(label)) return { charset: knownCharset(label, bytes), bytes }
  const meta = isHtml
    ? META_CHARSET.exec(windows1252.decode(bytes.subarray(0, META_SCAN_BYTES)))
    : null
  if (meta?.[1] && !/^utf-?16/i.test(meta[1])) {
    return { charset: knownCharset(meta[1], bytes), bytes }
  }
  return { charset: guessCharset(bytes, likely), bytes }
}

/** What is written on UTF-8 though nobody knows it, such as "utf8mb4", is UTF-8. */
const knownCharset = (label: string, bytes: Uint8Array): string =>
  isUnknown(label) && isWrittenUtf8(bytes) ? 'utf-8' : label

/** Decodes UTF-7 (RFC 2152). Broken shifts give what can be read; never an unpaired surrogate. */
export function decodeUtf7(bytes: Uint8Array): string {
  return windows1252
    .decode(bytes)
    .replaceAll(/\+([A-Za-z0-9+/]*)-?/g, (_, base64: string) =>
      base64 === '' ? '+' : utf16Of(base64),
    )
    .toWellFormed()
}

function utf16Of(base64: string): string {
  const usable = base64.slice(0, base64.length - (base64.length % 4 === 1 ? 1 : 0))
  const octets = atob(usable)
  const units: string[] = []
  for (let at = 0; at + 1 < octets.length; at += 2) {
    units.push(String.fromCharCode(octets.charCodeAt(at) * 256 + octets.charCodeAt(at + 1)))
  }
  return units.join('')
}
