const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a

/** A line of a source by its offsets: content from `start` to `end`, the next line at `next`. */
export interface Line {
  readonly start: number
  readonly end: number
  readonly next: number
}

/** What ends the lines of `source`: LF (alone or after CR), or CR where there is no LF at all. */
export const lineBreakOf = (source: Uint8Array): number => (source.includes(LF) ? LF : CR)

/** The line that starts at `start`; undefined at the end of the source. */
export function lineAt(source: Uint8Array, start: number, lineBreak: number): Line | undefined {
  if (start >= source.length) return undefined
  const found = source.indexOf(lineBreak, start)
  if (found < 0) return { start, end: source.length, next: source.length }
  const afterCr = lineBreak === LF && found > start && source[found - 1] === CR
  return { start, end: afterCr ? found - 1 : found, next: found + 1 }
}

/** Whether the line continues the header field above it (RFC 5322 section 2.2.3). */
export const isContinuation = (source: Uint8Array, line: Line): boolean =>
  source[line.start] === 0x20 || source[line.start] === 0x09

/** Whether the line starts a header field: a field name of printable ASCII, then a colon. */
export function isField(source: Uint8Array, line: Line): boolean {
  let at = line.start
  while (at < line.end && isNameByte(source[at])) at++
  const nameEnd = at
  while (at < line.end && (source[at] === 0x20 || source[at] === 0x09)) at++
  return nameEnd > line.start && at < line.end && source[at] === COLON
}

const isNameByte = (byte = 0): boolean => byte > 0x20 && byte < 0x7f && byte !== COLON

const isHeaderLine = (source: Uint8Array, line: Line): boolean =>
  line.end === line.start || isContinuation(source, line) || isField(source, line)

/** Whether there is white space and nothing else in the line. */
function isBlank(source: Uint8Array, line: Line): boolean {
  let at = line.start
  while (at < line.end && (source[at] === 0x20 || source[at] === 0x09)) at++
  return at === line.end && at > line.start
}

/** Lines looked ahead for another field; more would let a header of odd lines take quadratic time. */
const LOOK_AHEAD_LINES = 20

/**
 * Whether the header ends before this line although no blank line came: it is no field, and no field follows
 * soon. Odd lines between fields, such as the "From " of an mbox, and folded ones end nothing; a line of nothing
 * but white space does, unless more of the header follows at once.
 */
export function startsBodyEarly(source: Uint8Array, line: Line, lineBreak: number): boolean {
  let following = lineAt(source, line.next, lineBreak)
  if (isBlank(source, line)) {
    return following !== undefined && !isHeaderLine(source, following)
  }
  if (isHeaderLine(source, line)) return false
  if (following && isContinuation(source, following)) return false
  for (let count = 0; following && count < LOOK_AHEAD_LINES; count++) {
    if (following.end === following.start) return true
    if (isField(source, following)) return false
    following = lineAt(source, following.next, lineBreak)
  }
  return true
}
