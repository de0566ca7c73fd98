const ASCII_OR_NONE = /^(?:|us-ascii|ascii|ansi_x3\.4-1968|unknown-8bit|8bit|x-unknown|default)$/
const UTF_7 = /^(?:x-)?(?:unicode-(?:1-1|2-0)-)?utf-?7$/
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i
const META_SCAN_BYTES = 2048

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const windows1252 = new TextDecoder('windows-1252')
const encoder = new TextEncoder()

/** Text of bytes with no declared character set: UTF-8 where they are valid UTF-8, else windows-1252. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return windows1252.decode(bytes)
  }
}

/** Bytes and the character set to read them in. */
export interface CharsetBytes {
  readonly charset: string
  readonly bytes: Uint8Array
}

/**
 * Mends what a text part declares: UTF-7 (RFC 2152), which no TextDecoder knows, is turned into UTF-8, and
 * 8-bit text declared as ASCII or not at all is read as what it is. Everything else stays as declared.
 */
export function mendCharset(declared: string, bytes: Uint8Array, isHtml: boolean): CharsetBytes {
  const label = declared.trim().toLowerCase()
  if (UTF_7.test(label)) return { charset: 'utf-8', bytes: encoder.encode(decodeUtf7(bytes)) }
  if (!ASCII_OR_NONE.test(label)) return { charset: label, bytes }
  const meta = isHtml
    ? META_CHARSET.exec(windows1252.decode(bytes.subarray(0, META_SCAN_BYTES)))
    : null
  if (meta?.[1] && !/^utf-?16/i.test(meta[1])) return { charset: meta[1], bytes }
  return { charset: isUtf8(bytes) ? 'utf-8' : 'windows-1252', bytes }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes)
    return true
  } catch {
    return false
  }
}

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
