import { decodeBytes } from './charset.ts'
import { HEADER_BYTES_MAX } from './headers.ts'
import { isContinuation, isField, lineAt, lineBreakOf, startsBodyEarly } from './lines.ts'
import type { Line } from './lines.ts'
import { openPartReader } from './postal-mime-parts.ts'
import type { MimePart, PartReader } from './postal-mime-parts.ts'

/** Nested multiparts; stops messages that nest thousands of them to exhaust the stack. */
const DEPTH_MAX = 100
/** Parts of one message; stops a few megabytes of bare boundary lines from becoming a million parts. */
const PARTS_MAX = 2000

const DASH = 0x2d
const encoder = new TextEncoder()

/** The tree of parts, and the body of each part exactly as it stands in the source. */
export interface CutMessage {
  readonly root: MimePart
  readonly bodies: ReadonlyMap<MimePart, Uint8Array>
}

interface Extent {
  readonly start: number
  end: number
}

/** Cuts a source at its boundaries (RFC 2046). Past a limit the rest of the source is left unread. */
export async function cutParts(source: Uint8Array): Promise<CutMessage> {
  const cutter = new Cutter(source)
  try {
    await cutter.readLines()
    await cutter.reader.finalize()
  } catch {
    await cutter.reader.finalize().catch(() => undefined)
  }
  return { root: cutter.reader.root, bodies: cutter.bodies() }
}

class Cutter {
  readonly reader: PartReader = openPartReader(DEPTH_MAX)
  readonly #source: Uint8Array
  readonly #lineBreak: number
  readonly #extents = new Map<MimePart, Extent>()
  #extent: Extent | undefined
  #headerBytes = 0
  #partCount = 0

  constructor(source: Uint8Array) {
    this.#source = source
    this.#lineBreak = lineBreakOf(source)
    this.#open(this.reader.root)
  }

  async readLines(): Promise<void> {
    let line = lineAt(this.#source, 0, this.#lineBreak)
    for (
      ;
      line && this.#partCount <= PARTS_MAX;
      line = lineAt(this.#source, line.next, this.#lineBreak)
    ) {
      if (this.#mayBeBoundary(line) && (await this.#readBoundary(line))) continue
      this.#readLine(line)
    }
    // Only a boundary takes the line break before it away: a body that runs to the end keeps its own.
    if (this.#extent && !line) this.#extent.end = this.#source.length
  }

  bodies(): ReadonlyMap<MimePart, Uint8Array> {
    const bodies = new Map<MimePart, Uint8Array>()
    for (const [part, { start, end }] of this.#extents)
      bodies.set(part, this.#source.subarray(start, end))
    return bodies
  }

  #open(part: MimePart): void {
    this.#partCount++
    // The bodies are decoded from the source, so the reader need not decode them too.
    part.setupContentDecoder = () => undefined
  }

  #mayBeBoundary({ start, end }: Line): boolean {
    if (this.#source[start] !== DASH || this.#source[start + 1] !== DASH) return false
    return this.reader.boundaries.some(
      ({ value }) => end - start >= value.length + 2 && startsWith(this.#source, start + 2, value),
    )
  }

  async #readBoundary(line: Line): Promise<boolean> {
    const open = this.reader.currentNode
    await this.reader.processLine(this.#source.subarray(line.start, line.end), false)
    const current = this.reader.currentNode
    if (current === open && open.state !== 'finished') return false
    this.#extent = undefined
    if (current.state === 'header') this.#open(current)
    return true
  }

  #readLine(line: Line): void {
    const part = this.reader.currentNode
    if (part.state === 'header' && !this.#readHeaderLine(part, line)) return
    if (part.state !== 'body') return
    if (this.#extent) this.#extent.end = line.end
    else this.#begin(part, line)
  }

  #begin(part: MimePart, line: Line): void {
    // What follows the last boundary of a multipart is its epilogue, which is nobody's body.
    if (this.#extents.has(part)) return
    this.#extent = { start: line.start, end: line.end }
    this.#extents.set(part, this.#extent)
  }

  /** Whether the line belongs to the body already. */
  #readHeaderLine(part: MimePart, line: Line): boolean {
    if (line.end === line.start) {
      part.feed(new Uint8Array(0))
      return false
    }
    if (startsBodyEarly(this.#source, line, this.#lineBreak)) {
      part.feed(new Uint8Array(0))
      return true
    }
    this.#headerBytes += line.end - line.start
    const isHeader = isContinuation(this.#source, line) || isField(this.#source, line)
    if (isHeader && this.#headerBytes <= HEADER_BYTES_MAX) {
      const { charset } = this.reader.root.contentType.parsed.params
      part.feed(asUtf8(this.#source.subarray(line.start, line.end), charset))
    }
    return false
  }
}

/** Old mail has 8-bit header fields in a national character set, which would be lost as invalid UTF-8. */
const asUtf8 = (line: Uint8Array, messageCharset: string | undefined): Uint8Array =>
  line.some((byte) => byte > 0x7f) ? encoder.encode(decodeBytes(line, messageCharset)) : line

function startsWith(source: Uint8Array, at: number, value: Uint8Array): boolean {
  for (let index = 0; index < value.length; index++) {
    if (source[at + index] !== value[index]) return false
  }
  return true
}
