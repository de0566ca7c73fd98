/** Characters of a text decoded in one go: about a millisecond's work. */
const SLICE_CHARS = 256 * 1024

const PADDING = 64
const SPACE = 65
const FOREIGN = 66
/** What each byte stands for (RFC 4648 section 4). */
const MEANINGS = new Uint8Array(256).fill(FOREIGN)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= '
for (const [meaning, letter] of new TextEncoder().encode(ALPHABET).entries())
  MEANINGS[letter] = meaning

/** Decodes base64 (RFC 4648 section 4) that comes in pieces; spaces count for nothing. */
export interface Base64Decoder {
  /** Writes what `piece` holds into `bytes`, from `at`, and returns where that ends: at most `decodedMax` further. */
  decode(piece: Uint8Array, bytes: Uint8Array, at: number): number
  /** Whether all that came was base64, and ended where base64 may end. */
  isWhole(): boolean
}

/** How many bytes so much base64 gives at most, with up to three characters that came before it. */
export const decodedMax = (base64Bytes: number): number => Math.ceil((base64Bytes + 3) / 4) * 3

export function base64Decoder(): Base64Decoder {
  /** Of four characters those that came. */
  let bits = 0
  let count = 0
  let padding = 0
  let isBroken = false

  const fits = (meaning: number) =>
    meaning < PADDING ? padding === 0 : meaning === PADDING && count >= 2
  /** Takes one more character; the bytes of four are there with the last of them. */
  const step = (meaning: number, bytes: Uint8Array, at: number): number => {
    if (meaning === SPACE || isBroken) return at
    isBroken = !fits(meaning)
    if (meaning === PADDING) padding += 1
    bits = (bits << 6) | (meaning & 63)
    count += 1
    if (count < 4) return at
    write(bits, bytes, at)
    // What padding cuts off is zero.
    isBroken ||= (bits & ((1 << (8 * padding)) - 1)) !== 0
    bits = 0
    count = 0
    return at + 3 - padding
  }
  return {
    decode(piece, bytes, start) {
      let at = start
      for (let index = 0; index < piece.length; index += 1) {
        const four = count === 0 && padding === 0 ? bitsOf(piece, index) : -1
        if (four < 0) {
          at = step(meaningAt(piece, index), bytes, at)
        } else {
          write(four, bytes, at)
          at += 3
          index += 3
        }
      }
      return at
    },
    isWhole: () => !isBroken && count === 0,
  }
}

const meaningAt = (piece: Uint8Array, index: number) => MEANINGS[piece[index] ?? 0] ?? FOREIGN

/** Of four characters in one go, as nearly all are; negative where one of them is no letter of the alphabet. */
function bitsOf(piece: Uint8Array, index: number): number {
  const first = meaningAt(piece, index)
  const second = meaningAt(piece, index + 1)
  const third = meaningAt(piece, index + 2)
  const fourth = meaningAt(piece, index + 3)
  if ((first | second | third | fourth) >= PADDING) return -1
  return (first << 18) | (second << 12) | (third << 6) | fourth
}

function write(bits: number, bytes: Uint8Array, at: number): void {
  bytes[at] = bits >> 16
  bytes[at + 1] = bits >> 8
  bytes[at + 2] = bits
}

/** Lets others go between two pieces of work. */
export type Rest = () => Promise<void>

/** How many bytes a base64 text holds, white space left out; undefined when it is broken. */
export async function base64Size(text: string, rest: Rest): Promise<number | undefined> {
  const decoder = base64Decoder()
  let size = 0
  for (const bytes of decodedBy(decoder, text)) {
    size += bytes.length
    await rest()
  }
  return decoder.isWhole() ? size : undefined
}

/** The bytes of a base64 text that is not broken, in pieces of at most 192 KiB. */
export const decodedPieces = (text: string): Iterable<Uint8Array> =>
  decodedBy(base64Decoder(), text)

function* decodedBy(decoder: Base64Decoder, text: string): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  for (let start = 0; start < text.length; start += SLICE_CHARS) {
    const slice = text.slice(start, start + SLICE_CHARS)
    const piece = encoder.encode(/\s/.test(slice) ? slice.replaceAll(/\s+/g, '') : slice)
    const bytes = new Uint8Array(decodedMax(piece.length))
    yield bytes.subarray(0, decoder.decode(piece, bytes, 0))
  }
}
