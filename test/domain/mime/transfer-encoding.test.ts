import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodedSize, decodeTransfer } from '../../../domain/mime/transfer-encoding.ts'

const ENCODINGS = ['base64', 'quoted-printable', 'x-uuencode', '8bit']

/** What looks like base64, with what stands in it where it is broken. */
const bodies = fc.oneof(
  fc.base64String({ maxLength: 64 }),
  fc.stringMatching(/^[AZaz09+/=\r\n ~-]{0,64}$/),
)

test('the size is known without decoding, however broken a body is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ENCODINGS), bodies, (encoding, text) => {
      const body = new TextEncoder().encode(text)
      expect(decodedSize(encoding, body)).toBe(decodeTransfer(encoding, body).length)
    }),
    { numRuns: 2_000 },
  )
})
