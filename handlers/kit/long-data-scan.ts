/** Shorter strings stay where they are. */
const LONG_BYTES = 256 * 1024
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const KEY = new TextEncoder().encode('"data"')
/** Enough for the key, the colon, and some space. */
const TAIL_BYTES = 64

/** Long strings that were taken out of a body, in pieces, by what stands in their place. */
export type LongData = ReadonlyMap<string, Iterable<string>>

/** Goes over JSON in pieces. `name` must be unknown to whoever wrote it: what stands in the place of data begins so. */
export function longDataScan(name: string) {
  const kept: Uint8Array[] = []
  const longData = new Map<string, Iterable<string>>()
  /** What was read of a string that is data. */
  let data: Uint8Array[] | undefined
  let isInString = false
  /** The end of the piece before. */
  let tail: Uint8Array = new Uint8Array()

  const keep = (bytes: Uint8Array) => (data ?? kept).push(bytes)
  const endData = () => {
    const ended = data ?? []
    data = undefined
    const place = `${name}:${longData.size}`
    if (sizeOf(ended) < LONG_BYTES) kept.push(...ended)
    else {
      longData.set(place, { [Symbol.iterator]: () => unescaped(ended) })
      kept.push(new TextEncoder().encode(place))
    }
  }

  return {
    take(piece: Uint8Array): void {
      const bytes = joined(tail, piece)
      let from = tail.length
      for (let at = nextQuote(bytes, from); at >= 0; at = nextQuote(bytes, at + 1)) {
        if (isInString && isEscaped(bytes, at)) continue
        isInString = !isInString
        if (data) {
          keep(bytes.subarray(from, at))
          endData()
          from = at
        } else if (isInString && followsKey(bytes, at)) {
          keep(bytes.subarray(from, at + 1))
          data = []
          from = at + 1
        }
      }
      keep(bytes.subarray(from))
      tail = bytes.slice(-tailBytes(bytes))
    },
    /** The JSON with a name in the place of each, and what stood there. */
    end(): { readonly text: string; readonly longData: LongData } {
      if (data) kept.push(...data)
      const decoder = new TextDecoder()
      const texts = kept.map((bytes) => decoder.decode(bytes, { stream: true }))
      return { text: texts.join('') + decoder.decode(), longData }
    },
  }
}

const nextQuote = (bytes: Uint8Array, from: number) => bytes.indexOf(QUOTE, from)

const isEscaped = (bytes: Uint8Array, at: number) => backslashesBefore(bytes, at) % 2 === 1

/** As much as looking back may need; of more backslashes than that as many as keep their number odd or even. */
const tailBytes = (bytes: Uint8Array) =>
  TAIL_BYTES -
  (backslashesBefore(bytes, bytes.length) > TAIL_BYTES && isEscaped(bytes, bytes.length) ? 1 : 0)

function backslashesBefore(bytes: Uint8Array, at: number): number {
  let count = 0
  while (bytes[at - 1 - count] === BACKSLASH) count += 1
  return count
}

/** Whether the string that begins here is the value of `data`. */
function followsKey(bytes: Uint8Array, at: number): boolean {
  const colon = beforeSpace(bytes, at)
  if (bytes[colon] !== COLON) return false
  const end = beforeSpace(bytes, colon) + 1
  return KEY.every((byte, index) => bytes[end - KEY.length + index] === byte)
}

/** Where the last byte before `at` is that is no white space. */
function beforeSpace(bytes: Uint8Array, at: number): number {
  let before = at - 1
  while (SPACES.has(bytes[before] ?? 0)) before -= 1
  return before
}

const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

const sizeOf = (pieces: readonly Uint8Array[]) =>
  pieces.reduce((sum, { length }) => sum + length, 0)

/** An escape that is cut off. */
const CUT_ESCAPE = /\\(?:u[0-9a-f]{0,3})?$/i
/** No base64: stands for what is no JSON either. */
const BROKEN = '!'

/** The content of a JSON string that came in pieces. */
function* unescaped(pieces: readonly Uint8Array[]): Generator<string> {
  let rest = ''
  for (const piece of pieces) {
    const text = rest + new TextDecoder('latin1').decode(piece)
    rest = CUT_ESCAPE.exec(text)?.[0] ?? ''
    yield contentOf(text.slice(0, text.length - rest.length))
  }
  if (rest !== '') yield BROKEN
}

function contentOf(escaped: string): string {
  try {
    const text: unknown = JSON.parse(`"${escaped}"`)
    return String(text)
  } catch {
    return BROKEN
  }
}
