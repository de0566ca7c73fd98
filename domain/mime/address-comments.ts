/**
 * An address field whose comments (RFC 5322 section 3.2.2) hold neither comments nor quoted pairs, which no address
 * parser at hand reads: `(a (b) \) c)` becomes `(a b c)`. A comment that never closes is no comment.
 */
export function flattenComments(value: string): string {
  if (!value.includes('(')) return value
  let flat = ''
  let depth = 0
  let quoted = false
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at)
    const next = char === '\\' ? value.charAt(at + 1) : ''
    if (next !== '') {
      flat += depth === 0 ? char + next : next.replace(/[()]/, '')
      at++
    } else if (char === '"' && depth === 0) {
      quoted = !quoted
      flat += char
    } else if (char === '(' && !quoted) {
      if (depth === 0) flat += char
      depth++
    } else if (char === ')' && !quoted) {
      if (depth <= 1) flat += char
      depth = Math.max(0, depth - 1)
    } else {
      flat += char
    }
  }
  return depth === 0 ? flat : value
}
