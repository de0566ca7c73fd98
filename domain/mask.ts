const MASK = '***'
/** What a regular expression does not take literally. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/g
/** Base64 of either alphabet, also as an address or a form escapes it. */
const BASE64 = /(?:[A-Za-z0-9+/_-]|%2[bf])+(?:=|%3d){0,2}/gi

/**
 * Replaces these secrets wherever a text holds them: in clear, in any letter case, escaped for a quoted string, an
 * address or a form, or inside of base64, as SASL sends them. Everything that others said goes through here before
 * anybody sees it.
 */
export function maskOf(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret !== '')
  if (known.length === 0) return (text) => text
  const pattern = [...new Set(known.flatMap(spellings))].toSorted(longestFirst).join('|')
  const inClear = new RegExp(pattern, 'giu')
  const isInClear = new RegExp(pattern, 'iu')
  const encodedLengthMin = Math.min(...known.map(({ length }) => Math.floor((length * 4) / 3)))
  const isEncoded = (run: string) =>
    run.length >= encodedLengthMin && decodings(run).some((decoded) => isInClear.test(decoded))
  return (text) =>
    text.replaceAll(BASE64, (run) => (isEncoded(run) ? MASK : run)).replaceAll(inClear, MASK)
}

/** How a secret may be written, as regular expressions. */
function spellings(secret: string): readonly string[] {
  // A server's text is read as Latin-1 where it is not UTF-8, and so is decoded base64 below.
  const utf8 = new TextEncoder().encode(secret)
  const asLatin1 = Array.from(utf8, (byte) => String.fromCharCode(byte)).join('')
  const asForm = new URLSearchParams([['', secret]]).toString().slice(1)
  return [
    secret,
    asLatin1,
    quoted(secret),
    quoted(asLatin1),
    encodeURIComponent(secret.toWellFormed()),
    asForm,
    asForm.replaceAll('+', '%20'),
  ].map((spelling) => spelling.replaceAll(SYNTAX, String.raw`\$&`))
}

const quoted = (secret: string) => JSON.stringify(secret).slice(1, -1)

/** The bytes that this may be base64 of, as Latin-1: where it begins is not known when it follows other letters. */
function decodings(run: string): readonly string[] {
  const digits = run.replaceAll(/%3d|=/gi, '').replaceAll(/%2b|-/gi, '+').replaceAll(/%2f|_/gi, '/')
  return [0, 1, 2, 3].map((start) => {
    const whole = digits.length - ((digits.length - start) % 4 === 1 ? 1 : 0)
    return atob(digits.slice(start, whole))
  })
}

const longestFirst = (a: string, b: string) => b.length - a.length
