/** Shorter strings stay where they are. */
const LONG_BYTES = 64 * 1024
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const KEY = new TextEncoder().encode('"data"')
/** Enough for the key, the colon, and some space. */
const TAIL_BYTES = 64

/** Some of a long string that is taken out of a body, without its escapes and the white space that they stood for. */
interface LongData {
  /** What stands in the place of the string. */
  readonly name: string
  /** Good until the next is asked for. */
  readonly bytes: Uint8Array
}

/** Goes over JSON in pieces, and keeps only what is no long data. */
interface LongDataScan {
  /** Goes over one more piece, which is the caller's again in the end: gives the long data in it. */
  take(piece: Uint8Array): Generator<LongData>
  /** The JSON with names in the places of long data. */
  end(): string
}

/** A string that is data, as far as it has come. */
interface DataString {
  /** There once it is known to be long. */
  name?: string
  readonly unescaped: (piece: Uint8Array) => Uint8Array
  readonly isCut: () => boolean
}

/** `prefix` must be unknown to whoever wrote the JSON: the names of what is taken out begin so. */
export function longDataScan(prefix: string): LongDataScan {
  const kept: Uint8Array[] = []
  /** Of data of which it is not known yet whether it is long. */
  let held: Uint8Array[] = []
  let data: DataString | undefined
  let longCount = 0
  let isInString = false
  const window = slidingWindow()

  function* pass(bytes: Uint8Array): Generator<LongData> {
    if (!data) {
      kept.push(bytes.slice())
    } else if (data.name === undefined && sizeOf(held) + bytes.length < LONG_BYTES) {
      held.push(bytes.slice())
    } else {
      data.name ??= begun(`${prefix}:${longCount++}`)
      const { name, unescaped } = data
      for (const piece of [...held, bytes]) yield { name, bytes: unescaped(piece) }
      held = []
    }
  }
  const begun = (name: string) => {
    kept.push(new TextEncoder().encode(name))
    return name
  }
  function* endData({ name, isCut }: DataString): Generator<LongData> {
    if (name !== undefined && isCut()) yield { name, bytes: BROKEN }
    kept.push(...held)
    held = []
    data = undefined
  }
  return {
    *take(piece) {
      const { bytes, start } = window.over(piece)
      let from = start
      for (let at = nextQuote(bytes, from); at >= 0; at = nextQuote(bytes, at + 1)) {
        if (isInString && isEscaped(bytes, at)) continue
        isInString = !isInString
        if (data) {
          yield* pass(bytes.subarray(from, at))
          yield* endData(data)
          from = at
        } else if (isInString && followsKey(bytes, at)) {
          yield* pass(bytes.subarray(from, at + 1))
          data = unescaping()
          from = at + 1
        }
      }
      yield* pass(bytes.subarray(from))
    },
    end() {
      const decoder = new TextDecoder()
      const texts = [...kept, ...held].map((bytes) => decoder.decode(bytes, { stream: true }))
      return texts.join('') + decoder.decode()
    },
  }
}

/** Pieces, each behind as much of the one before as looking back may need, all in the same place. */
function slidingWindow() {
  let room = new Uint8Array()
  let filled = 0
  return {
    over(piece: Uint8Array): { readonly bytes: Uint8Array; readonly start: number } {
      const start = Math.min(filled, tailBytes(room.subarray(0, filled)))
      const tail = room.slice(filled - start, filled)
      filled = start + piece.length
      if (room.length < filled) room = new Uint8Array(filled)
      room.set(tail)
      room.set(piece, start)
      return { bytes: room.subarray(0, filled), start }
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

const sizeOf = (pieces: readonly Uint8Array[]) =>
  pieces.reduce((sum, { length }) => sum + length, 0)

/** An escape that is cut off. */
const CUT_ESCAPE = /\\(?:u[0-9a-f]{0,3})?$/i
/** No base64: stands for what is no JSON either. */
const BROKEN = new TextEncoder().encode('!')

/** Undoes the escapes of a JSON string that comes in pieces. */
function unescaping(): DataString {
  let rest = ''
  return {
    unescaped(piece) {
      if (rest === '' && !piece.includes(BACKSLASH)) return piece
      const text = rest + new TextDecoder('latin1').decode(piece)
      rest = CUT_ESCAPE.exec(text)?.[0] ?? ''
      return contentOf(text.slice(0, text.length - rest.length))
    },
    isCut: () => rest !== '',
  }
}

function contentOf(escaped: string): Uint8Array {
  try {
    const text: unknown = JSON.parse(`"${escaped}"`)
    return new TextEncoder().encode(String(text).replaceAll(/\s+/g, ''))
  } catch {
    return BROKEN
  }
}
