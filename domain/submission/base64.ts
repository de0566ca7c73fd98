/** A base64 text, or its pieces of any size; they are gone over more than once. */
export type Base64 = string | Iterable<string>

/** Characters looked at in one go: about a millisecond's work. */
const SLICE_CHARS = 256 * 1024
/** What is not the alphabet of RFC 4648 section 4, padding, or white space. */
const FOREIGN = /[^A-Za-z0-9+/=\s]/
/** Padding that fits, over bits that are zero. */
const ENDING = /^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?$/

/** Lets others go between two pieces of work. */
export type Rest = () => Promise<void>

/** How many bytes a base64 text holds, found without decoding it; undefined when it is broken. */
export async function base64Size(text: Base64, rest: Rest): Promise<number | undefined> {
  let chars = 0
  let ending = ''
  for (const slice of slicesOf(text)) {
    if (FOREIGN.test(slice)) return undefined
    const packed = withoutSpace(slice)
    // Padding ends the text: four characters are kept, and none may come after "=".
    if (packed !== '' && ending.includes('=')) {
      if (!/^=+$/.test(packed)) return undefined
    }
    if (/=[^=]/.test(packed)) return undefined
    chars += packed.length
    ending = (ending + packed).slice(-4)
    await rest()
  }
  if (chars % 4 !== 0 || !ENDING.test(ending)) return undefined
  return (chars / 4) * 3 - (ending.length - ending.replaceAll('=', '').length)
}

/** The bytes of a base64 text that is not broken, in pieces of at most 192 KiB. */
export function* decodedPieces(text: Base64): Generator<Uint8Array<ArrayBuffer>> {
  let carry = ''
  for (const slice of slicesOf(text)) {
    const packed = carry + withoutSpace(slice)
    const usable = packed.length - (packed.length % 4)
    carry = packed.slice(usable)
    if (usable > 0) yield decoded(packed.slice(0, usable))
  }
}

function* slicesOf(text: Base64): Generator<string> {
  for (const piece of typeof text === 'string' ? [text] : text) {
    for (let start = 0; start < piece.length; start += SLICE_CHARS) {
      yield piece.slice(start, start + SLICE_CHARS)
    }
  }
}

const withoutSpace = (text: string): string =>
  /\s/.test(text) ? text.replaceAll(/\s+/g, '') : text

function decoded(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
