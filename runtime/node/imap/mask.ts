const MASK = '***'
/** What a regular expression does not take literally. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/g
/** Base64 of fewer characters than this holds no secret worth the name. */
const BASE64 = /[A-Za-z0-9+/_-]{4,}={0,2}/g

/**
 * Replaces these secrets wherever a text holds them: in clear, in any letter case, escaped for a quoted string or an
 * address, or inside of base64, as SASL sends them.
 */
export function maskOf(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret !== '')
  if (known.length === 0) return (text) => text
  const inClear = new RegExp(known.flatMap(spellings).toSorted(longestFirst).join('|'), 'giu')
  const isSecret = (encoded: string) => {
    const decoded = Buffer.from(encoded, 'base64').toString()
    return known.some((secret) => decoded.includes(secret))
  }
  return (text) =>
    text.replaceAll(BASE64, (run) => (isSecret(run) ? MASK : run)).replaceAll(inClear, MASK)
}

/** How a secret may be written, as regular expressions. */
const spellings = (secret: string): readonly string[] =>
  [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    // A server's text is read as Latin-1 where it is not UTF-8.
    Buffer.from(secret).toString('latin1'),
  ].map((spelling) => spelling.replaceAll(SYNTAX, String.raw`\$&`))

const longestFirst = (a: string, b: string) => b.length - a.length
