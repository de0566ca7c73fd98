import { decodeBytes } from './charset.ts'
import { lineAt, lineBreakOf } from './lines.ts'
import type { Line } from './lines.ts'

const SPACE = 0x20
const BACKTICK = 0x60
const BEGIN = /^begin [0-7]{3,4}(?: +(\S.*))?$/
const BEGIN_BYTES = [0x62, 0x65, 0x67, 0x69, 0x6e]
const END_BYTES = [0x65, 0x6e, 0x64]
/** The longest first line: "begin", the mode and a file name. */
const BEGIN_BYTES_MAX = 1000
/** Lines may hold less than they say; stops lines of one letter from growing into 45 zeros each without end. */
const FILLED_BYTES_MAX = 16 * 1024 * 1024

/** A file that was written into a text, still encoded: the lines from "begin" to "end". */
interface UuencodedFile {
  /** Empty when none was written. */
  readonly filename: string
  readonly body: Uint8Array
}

/** A text and the files that stood in it. */
interface CutText {
  readonly text: Uint8Array
  readonly files: readonly UuencodedFile[]
}

/**
 * Takes uuencoded files (POSIX, "begin 644 name" … "end") out of a text, at most `filesMax`. What is not encoded
 * from its first line to its last stays text, a file that never ends among it. Linear in the length of the text.
 */
export function cutUuencoded(text: Uint8Array, filesMax: number): CutText {
  const lineBreak = lineBreakOf(text)
  const files: UuencodedFile[] = []
  const kept: Uint8Array[] = []
  let keptTo = 0
  let line = lineAt(text, 0, lineBreak)
  while (line && files.length < filesMax) {
    const filename = beginOf(text, line)
    const stop: Stop =
      filename === undefined ? { next: line.next } : blockEnd(text, line, lineBreak)
    if (filename !== undefined && stop.ended) {
      files.push({ filename, body: text.subarray(line.start, stop.next) })
      kept.push(text.subarray(keptTo, line.start))
      keptTo = stop.next
    }
    line = lineAt(text, stop.next, lineBreak)
  }
  return files.length === 0
    ? { text, files }
    : { text: join([...kept, text.subarray(keptTo)]), files }
}

/** Decodes the first uuencoded file of a body; a body that holds none stays as it is. */
export function decodeUuencoded(body: Uint8Array): Uint8Array {
  const lineBreak = lineBreakOf(body)
  let line = lineAt(body, 0, lineBreak)
  while (line && beginOf(body, line) === undefined) line = lineAt(body, line.next, lineBreak)
  if (!line) return body
  const data: Line[] = []
  for (;;) {
    line = lineAt(body, line.next, lineBreak)
    if (!line || !isData(body, line)) return decodeLines(body, data)
    data.push(line)
  }
}

function decodeLines(body: Uint8Array, lines: readonly Line[]): Uint8Array {
  const total = lines.reduce((sum, line) => sum + byteCount(body, line), 0)
  const out = new Uint8Array(Math.min(total, Math.max(body.length, FILLED_BYTES_MAX)))
  let size = 0
  for (const line of lines) {
    const count = Math.min(byteCount(body, line), out.length - size)
    for (let index = 0; index < count; index++) {
      const at = line.start + 1 + Math.floor(index / 3) * 4 + (index % 3)
      const shift = 2 * (index % 3)
      out[size++] =
        (sextet(body, line, at) << (shift + 2)) | (sextet(body, line, at + 1) >> (4 - shift))
    }
  }
  return out
}

/** Where the reading of a block stopped. */
interface Stop {
  readonly next: number
  /** Whether it holds a file. */
  readonly ended?: boolean
}

/** Stops before the first line that is neither data nor the end, so that no line is read twice. */
function blockEnd(text: Uint8Array, begin: Line, lineBreak: number): Stop {
  const data: Line[] = []
  let next = begin.next
  for (;;) {
    const line = lineAt(text, next, lineBreak)
    if (!line) return { next }
    if (isEnd(text, line)) return { next: line.next, ended: isFile(text, data) }
    if (!isData(text, line)) return { next: line.start }
    data.push(line)
    next = line.next
  }
}

/**
 * Whether these lines are a file, and not prose in capitals that explains one: all say the same count, but for the
 * last, which may say less, and all are as long as they say. Where a line of no bytes ends them, as it should, some
 * may have lost the spaces at their end. A file of no bytes is that line, and not an empty one.
 */
function isFile(text: Uint8Array, lines: readonly Line[]): boolean {
  const last = lines.at(-1)
  const terminated = last !== undefined && byteCount(text, last) === 0
  const data = terminated ? lines.slice(0, -1) : lines
  if (!data[0]) return terminated && last.end > last.start
  const count = byteCount(text, data[0])
  const isEven = data.every((line, index) => {
    const own = byteCount(text, line)
    return index === data.length - 1 ? own > 0 && own <= count : own === count
  })
  const holds = (line: Line): boolean => holdsItsBytes(text, line)
  return isEven && (terminated ? data.some(holds) : data.every(holds))
}

const holdsItsBytes = (text: Uint8Array, line: Line): boolean =>
  line.end - line.start > Math.ceil((byteCount(text, line) * 4) / 3)

/** The file name, when the line begins a file. */
function beginOf(text: Uint8Array, line: Line): string | undefined {
  if (line.end - line.start > BEGIN_BYTES_MAX) return undefined
  if (BEGIN_BYTES.some((byte, index) => text[line.start + index] !== byte)) return undefined
  const match = BEGIN.exec(decodeBytes(text.subarray(line.start, line.end)).trimEnd())
  return match ? (match[1] ?? '') : undefined
}

function isEnd(text: Uint8Array, line: Line): boolean {
  if (END_BYTES.some((byte, index) => text[line.start + index] !== byte)) return false
  let at = line.start + END_BYTES.length
  while (at < line.end && text[at] === SPACE) at++
  return at >= line.end
}

/**
 * Whether the line says how many bytes it holds and holds them. Spaces at its end, which stand for zeros, may have
 * been lost on the way, and some programs add a character to check the line by.
 */
function isData(text: Uint8Array, line: Line): boolean {
  const characters = Math.ceil(byteCount(text, line) / 3) * 4
  if (line.end - line.start > 1 + characters + 1) return false
  for (let at = line.start; at < line.end; at++) {
    const byte = text[at] ?? 0
    if (byte < SPACE || byte > BACKTICK) return false
  }
  return true
}

/** The bytes a line says it holds. */
const byteCount = (text: Uint8Array, line: Line): number => sextet(text, line, line.start)

const sextet = (text: Uint8Array, line: Line, at: number): number =>
  at < line.end ? ((text[at] ?? SPACE) - SPACE) & 0x3f : 0

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}
